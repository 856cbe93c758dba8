import { useState } from 'react'
import { MAX_CASES_PER_REQUEST, type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { type CaseImport, parseCaseImport } from '#domain/caseImport/caseImport.ts'
import { useWrite } from '../../../client/query.ts'
import { decodeTable } from '../../annotations/tableImport/tableDecoding.ts'

const MAX_FILE_MEGABYTES = 16

interface LoadedCases {
  name: string
  imported: CaseImport
}

/** The file from which cases are imported, and what was sent of it. */
export function useCaseImport(suite: Suite) {
  const [loaded, setLoaded] = useState<LoadedCases | null>(null)
  const [fileFault, setFileFault] = useState<'tooLarge' | 'unreadable' | null>(null)
  const [sent, setSent] = useState<{ done: number; added: number; duplicates: number; isDone: boolean } | null>(null)
  const add = useWrite(suiteEndpoints.addSuiteCases)

  const loadText = (name: string, text: string): void => {
    setFileFault(null)
    setSent(null)
    add.reset()
    setLoaded({ name, imported: parseCaseImport(text, suite.target) })
  }
  const loadFile = async (file: File): Promise<void> => {
    setLoaded(null)
    if (file.size > MAX_FILE_MEGABYTES * 1024 * 1024) return setFileFault('tooLarge')
    const bytes = await file.arrayBuffer().catch(() => null)
    if (bytes) loadText(file.name, decodeTable(new Uint8Array(bytes), null).text)
    else setFileFault('unreadable')
  }
  /** In requests of at most as many cases as one may have. Those that a failed attempt has added are duplicates in the next. */
  const send = async (): Promise<void> => {
    const cases = loaded?.imported.cases.map((one) => one.case) ?? []
    let [added, duplicates] = [0, 0]
    for (let done = 0; done < cases.length;) {
      const part = cases.slice(done, done + MAX_CASES_PER_REQUEST)
      const reply = await add.mutateAsync({ params: { suite_id: suite.id }, body: { cases: part } }).catch(() => null)
      if (!reply) return
      done += part.length
      added += reply.added
      duplicates += reply.duplicates
      setSent({ done, added, duplicates, isDone: done === cases.length })
    }
  }
  return {
    loaded,
    fileFault,
    maxMegabytes: MAX_FILE_MEGABYTES,
    loadText,
    loadFile,
    drop: () => {
      setLoaded(null)
      setSent(null)
      add.reset()
    },
    send,
    sent,
    isSending: add.isPending,
    problem: add.error?.problem ?? null,
  }
}
