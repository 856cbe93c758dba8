import { useEffect, useRef, useState } from 'react'
import type { Key } from '#contract/console.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { openSink } from '../../ui/sink.ts'
import { type Format, headOf, lineOf, pagesOf, TYPES } from './annotationFile.ts'

interface Written {
  count: number
  total: number
  isDone: boolean
  /** By the platform's list; else what this console has seen. */
  isListed: boolean
}

/** Writes the annotations of an app to a file while they are read. */
export function useExport(workspace: string, app: Key) {
  const [written, setWritten] = useState<Written | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const aborter = useRef<AbortController | null>(null)
  useEffect(() => () => aborter.current?.abort(), [])
  const isListed = app.offers.includes('listAnnotations')

  const run = async (format: Format): Promise<void> => {
    const own = new AbortController()
    const sink = await openSink(`annotations ${app.label}.${format}`, TYPES[format]).catch(() => null)
    if (!sink) return
    aborter.current = own
    setProblem(null)
    let [count, total] = [0, 0]
    try {
      await sink.write(headOf(format))
      for await (const page of pagesOf(workspace, app, own.signal)) {
        for (const row of page.rows) await sink.write(lineOf(format, row))
        count += page.rows.length
        total = Math.max(page.total, count)
        setWritten({ count, total, isDone: false, isListed })
      }
      await sink.close()
      setWritten({ count, total, isDone: true, isListed })
    } catch (error) {
      await sink.abort().catch(() => undefined)
      if (own.signal.aborted) return
      setProblem(error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) })
    }
  }
  return { written, problem, run }
}
