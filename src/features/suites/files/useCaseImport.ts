import { useState } from 'react'
import { MAX_CASES, MAX_CASES_PER_REQUEST, type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { type CaseImport, parseCaseImport } from '#domain/caseImport/caseImport.ts'
import { openTable, type TableContent } from '#domain/tables/readTable.ts'
import { useWrite } from '../../../client/query.ts'
import type { TableReading } from '../../annotations/tableImport/TableReadingChoice.tsx'

const MAX_FILE_MEGABYTES = 16

interface LoadedCases extends TableContent {
  name: string
  /** Null for rows that were pasted. */
  file: File | null
  imported: CaseImport
}

/** The file from which cases are imported, and what was sent of it. */
export function useCaseImport(suite: Suite) {
  const [loaded, setLoaded] = useState<LoadedCases | null>(null)
  const [fileFault, setFileFault] = useState<string | null>(null)
  const [sent, setSent] = useState<{ done: number; added: number; duplicates: number; isDone: boolean } | null>(null)
  const add = useWrite(suiteEndpoints.addSuiteCases)

  const load = (name: string, file: File | null, opened: TableContent): void => {
    setFileFault(null)
    setSent(null)
    add.reset()
    setLoaded({ name, file, ...opened, imported: parseCaseImport(opened.content, suite.target) })
  }
  const loadFile = async (file: File, reading: TableReading | null = null): Promise<void> => {
    if (!reading) setLoaded(null)
    if (file.size > MAX_FILE_MEGABYTES * 1024 * 1024)
      return setFileFault(`The file is larger than ${MAX_FILE_MEGABYTES} MB. Split it.`)
    try {
      const bytes = new Uint8Array(await file.arrayBuffer())
      load(file.name, file, await openTable(bytes, { ...reading, maxRows: MAX_CASES }))
    } catch (error) {
      setFileFault(error instanceof Error ? error.message : String(error))
    }
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
    loadText: (name: string, content: string) => load(name, null, { content, encoding: null, workbook: null }),
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
