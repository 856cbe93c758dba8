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

/** All annotations of an app, a page at a time, with how many there are. @throws ProblemError */
export async function* pagesOf(
  workspace: string,
  app: Key,
  signal: AbortSignal,
): AsyncGenerator<{ rows: AnnotationRow[]; total: number }> {
  const isListed = app.offers.includes('listAnnotations')
  for (let page = 1; ; page++) {
    const paged = { page, limit: PAGE }
    const { rows, total } = isListed
      ? await listed(app.id, paged, signal)
      : await seen({ workspace, parent: app.id, ...paged }, signal)
    yield { rows, total }
    if (rows.length === 0 || page * PAGE >= total) return
  }
}

async function listed(key: string, query: { page: number; limit: number }, signal: AbortSignal) {
  const { data, total } = await call(contract.adjacent.listAnnotations, { key, query }, { signal })
  return { rows: data.map(rowOf), total: total ?? data.length }
}

async function seen(query: { workspace: string; parent: string; page: number; limit: number }, signal: AbortSignal) {
  const { data, total } = await call(
    contract.console.listThings,
    { query: { kind: 'annotation', ...query } },
    { signal },
  )
  return { rows: data.map(rowOfThing), total }
}
