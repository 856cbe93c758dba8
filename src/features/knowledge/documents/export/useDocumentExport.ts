import { useEffect, useRef, useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { type DocumentExportFormat, toExportHeader, type ExportRow, formatExportRow } from './exportFormat.ts'
import { openFileSink } from '../../../../components/hooks/fileSink.ts'
import { type ExportRequest, readExportRows } from './exportRows.ts'

export interface ExportProgress {
  state: 'idle' | 'running' | 'done' | 'cancelled' | 'failed'
  count: Record<ExportRow['kind'], number>
  bytes: number
  problem: Problem | null
}
const IDLE_PROGRESS: ExportProgress = {
  state: 'idle',
  count: { document: 0, segment: 0, child_chunk: 0 },
  bytes: 0,
  problem: null,
}
const MIME_TYPE_BY_FORMAT = { jsonl: 'application/jsonl', csv: 'text/csv', md: 'text/markdown' }
/** The screen is told this often. Milliseconds. */
const PROGRESS_INTERVAL_MS = 100

/** Writes an export to a file while it is read, with its progress; it can be cancelled at any row. */
export function useDocumentExport() {
  const [progress, setProgress] = useState(IDLE_PROGRESS)
  const abortController = useRef<AbortController | null>(null)
  useEffect(() => () => abortController.current?.abort(), [])

  const run = async (exportRequest: ExportRequest, format: DocumentExportFormat, name: string): Promise<void> => {
    const currentController = new AbortController()
    const fileSink = await openFileSink(`${name}.${format}`, MIME_TYPE_BY_FORMAT[format]).catch(() => null)
    if (!fileSink) return
    abortController.current = currentController
    const count = { ...IDLE_PROGRESS.count }
    let bytes = 0
    let lastProgressAt = 0
    const reportProgress = (state: ExportProgress['state'], problem: Problem | null = null) =>
      setProgress({ state, count: { ...count }, bytes, problem })
    reportProgress('running')
    try {
      await fileSink.write(toExportHeader(format))
      for await (const row of readExportRows(exportRequest, currentController.signal)) {
        currentController.signal.throwIfAborted()
        const text = formatExportRow(format, row)
        await fileSink.write(text)
        count[row.kind]++
        bytes += text.length
        if (performance.now() - lastProgressAt < PROGRESS_INTERVAL_MS) continue
        lastProgressAt = performance.now()
        reportProgress('running')
      }
      await fileSink.close()
      reportProgress('done')
    } catch (error) {
      await fileSink.abort().catch(() => undefined)
      if (currentController.signal.aborted) reportProgress('cancelled')
      else
        reportProgress(
          'failed',
          error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) },
        )
    }
  }
  return { progress, run, cancel: () => abortController.current?.abort() }
}
