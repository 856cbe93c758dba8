import { useEffect, useRef, useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { openFileSink } from '../../../components/hooks/fileSink.ts'
import {
  type AnnotationExportFormat,
  toFileHeader,
  toFileLine,
  readAnnotationPages,
  MIME_TYPE_BY_FORMAT,
} from './annotationExport.ts'

interface AnnotationExportProgress {
  count: number
  total: number
  isDone: boolean
  /** From the platform's list; otherwise from the ledger. */
  isFromPlatform: boolean
}

/** Exports the annotations of an app to a file as a stream. */
export function useAnnotationExport(workspace: string, app: Key) {
  const [exportProgress, setExportProgress] = useState<AnnotationExportProgress | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const abortController = useRef<AbortController | null>(null)
  useEffect(() => () => abortController.current?.abort(), [])
  const isListed = app.offers.includes('listAnnotations')

  const run = async (format: AnnotationExportFormat): Promise<void> => {
    const own = new AbortController()
    const fileSink = await openFileSink(`annotations ${app.label}.${format}`, MIME_TYPE_BY_FORMAT[format]).catch(
      () => null,
    )
    if (!fileSink) return
    abortController.current = own
    setProblem(null)
    let [count, total] = [0, 0]
    try {
      await fileSink.write(toFileHeader(format))
      for await (const page of readAnnotationPages(workspace, app, own.signal)) {
        for (const row of page.rows) await fileSink.write(toFileLine(format, row))
        count += page.rows.length
        total = Math.max(page.total, count)
        setExportProgress({ count, total, isDone: false, isFromPlatform: isListed })
      }
      await fileSink.close()
      setExportProgress({ count, total, isDone: true, isFromPlatform: isListed })
    } catch (error) {
      await fileSink.abort().catch(() => undefined)
      if (own.signal.aborted) return
      setProblem(error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) })
    }
  }
  return { written: exportProgress, problem, run }
}
