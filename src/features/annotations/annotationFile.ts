import type { Key } from '#contract/console.ts'
import { CSV_MARK, csvLine } from '#contract/csv.ts'
import { contract } from '#contract/index.ts'
import { call } from '../../wire/call.ts'
import { type AnnotationRow, rowOf, rowOfThing } from './useAnnotations.ts'

export const FORMATS = ['csv', 'jsonl'] as const
export type Format = (typeof FORMATS)[number]
export const TYPES: Record<Format, string> = { csv: 'text/csv', jsonl: 'application/jsonl' }

const COLUMNS = ['id', 'question', 'answer', 'hit_count', 'created_at'] as const
const PAGE = 100

export const headOf = (format: Format): string => (format === 'csv' ? CSV_MARK + csvLine([...COLUMNS]) : '')

export const lineOf = (format: Format, row: AnnotationRow): string =>
  format === 'csv' ? csvLine(COLUMNS.map((name) => row[name])) : `${JSON.stringify(row)}\n`

interface AnnotationPage {
  rows: AnnotationRow[]
  total: number
  next: string | null
}

/** All annotations of an app, a page at a time, with how many there are. @throws ProblemError */
export async function* pagesOf(
  workspace: string,
  app: Key,
  signal: AbortSignal,
): AsyncGenerator<{ rows: AnnotationRow[]; total: number }> {
  const isListed = app.offers.includes('listAnnotations')
  for (let page = 1, before: string | null = null, read = 0; ; page++) {
    const { rows, total, next }: AnnotationPage = isListed
      ? await listed(app.id, { page, limit: PAGE }, signal)
      : await seen({ workspace, parent: app.id, limit: PAGE, ...(before ? { before } : {}) }, signal)
    read += rows.length
    yield { rows, total: Math.max(total, read) }
    if (rows.length === 0 || (isListed ? page * PAGE >= total : next === null)) return
    before = next
  }
}

async function listed(
  key: string,
  query: { page: number; limit: number },
  signal: AbortSignal,
): Promise<AnnotationPage> {
  const { data, total } = await call(contract.adjacent.listAnnotations, { key, query }, { signal })
  return { rows: data.map(rowOf), total: total ?? data.length, next: null }
}

async function seen(
  query: { workspace: string; parent: string; limit: number; before?: string },
  signal: AbortSignal,
): Promise<AnnotationPage> {
  const read = contract.console.listThings
  const { data, total, next } = await call(read, { query: { kind: 'annotation', ...query } }, { signal })
  return { rows: data.map(rowOfThing), total, next }
}
