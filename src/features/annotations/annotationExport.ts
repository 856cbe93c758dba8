import { useEffect, useRef, useState } from 'react'
import { optionalAnnotationEndpoints } from '#contract/platform/optionalAnnotations.ts'
import { resourceEndpoints } from '#contract/console/resources.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { UTF8_BOM, toCsvLine } from '#domain/csv.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { call } from '../../client/http.ts'
import { type AnnotationRow, toAnnotationRow, toAnnotationRowFromResource } from './useAnnotations.ts'
import { openFileSink } from '../../components/hooks/fileSink.ts'

export const ANNOTATION_EXPORT_FORMATS = ['csv', 'jsonl'] as const
type AnnotationExportFormat = (typeof ANNOTATION_EXPORT_FORMATS)[number]
const MIME_TYPE_BY_FORMAT: Record<AnnotationExportFormat, string> = {
  csv: 'text/csv',
  jsonl: 'application/jsonl',
}

const EXPORT_COLUMNS = ['id', 'question', 'answer', 'hit_count', 'created_at'] as const
const PAGE_SIZE_ROWS = 100

export const toFileHeader = (format: AnnotationExportFormat): string =>
  format === 'csv' ? UTF8_BOM + toCsvLine([...EXPORT_COLUMNS]) : ''

export const toFileLine = (format: AnnotationExportFormat, row: AnnotationRow): string =>
  format === 'csv' ? toCsvLine(EXPORT_COLUMNS.map((name) => row[name])) : `${JSON.stringify(row)}\n`

interface AnnotationPage {
  rows: AnnotationRow[]
  total: number
  nextCursor: string | null
}

/** All annotations of an app, page by page, with the total. @throws ProblemError */
export async function* readAnnotationPages(
  workspace: string,
  app: Key,
  signal: AbortSignal,
): AsyncGenerator<{ rows: AnnotationRow[]; total: number }> {
  const isFromPlatform = app.offers.includes('listAnnotations')
  for (let page = 1, before: string | null = null, read = 0; ; page++) {
    const { rows, total, nextCursor }: AnnotationPage = isFromPlatform
      ? await readPlatformPage(app.id, { page, limit: PAGE_SIZE_ROWS }, signal)
      : await readLedgerPage(
          { workspace, parent: app.id, limit: PAGE_SIZE_ROWS, ...(before ? { before } : {}) },
          signal,
        )
    read += rows.length
    yield { rows, total: Math.max(total, read) }
    if (rows.length === 0 || (isFromPlatform ? page * PAGE_SIZE_ROWS >= total : nextCursor === null)) return
    before = nextCursor
  }
}

async function readPlatformPage(
  key: string,
  query: { page: number; limit: number },
  signal: AbortSignal,
): Promise<AnnotationPage> {
  const { data, total } = await call(optionalAnnotationEndpoints.listAnnotations, { key, query }, { signal })
  return { rows: data.map(toAnnotationRow), total: total ?? data.length, nextCursor: null }
}

async function readLedgerPage(
  query: { workspace: string; parent: string; limit: number; before?: string },
  signal: AbortSignal,
): Promise<AnnotationPage> {
  const read = resourceEndpoints.listResources
  const { data, total, next } = await call(read, { query: { kind: 'annotation', ...query } }, { signal })
  return { rows: data.map(toAnnotationRowFromResource), total, nextCursor: next }
}

/** Exports the annotations of an app to a file as a stream. `progress` is null unless an export goes on. */
export function useAnnotationExport(workspace: string, app: Key, onDone: (count: number) => void) {
  const [progress, setProgress] = useState<{ count: number; total: number } | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const abortController = useRef<AbortController | null>(null)
  useEffect(() => () => abortController.current?.abort(), [])

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
        setProgress({ count, total })
      }
      await fileSink.close()
      onDone(count)
    } catch (error) {
      await fileSink.abort().catch(() => undefined)
      if (own.signal.aborted) return
      setProblem(error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) })
    } finally {
      setProgress(null)
    }
  }
  return { progress, problem, run }
}
