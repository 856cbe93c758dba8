import { useState } from 'react'
import { suiteFileEndpoints } from '#contract/console/suiteFiles.ts'
import type { Suite } from '#contract/console/suites.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { call } from '../../../client/http.ts'
import { openFileSink } from '../../../components/hooks/fileSink.ts'

/** Saves a suite as the file that `loupe pull` writes. */
export function useSuiteFile(suite: Suite) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const save = async (): Promise<void> => {
    setProblem(null)
    const sink = await openFileSink(`${suite.name}.suite.yaml`, 'application/yaml').catch(() => null)
    if (!sink) return
    try {
      const { text } = await call(suiteFileEndpoints.readSuiteFile, { params: { suite_id: suite.id } })
      await sink.write(text)
      await sink.close()
    } catch (error) {
      await sink.abort().catch(() => undefined)
      setProblem(error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) })
    }
  }
  return { save, problem }
}
