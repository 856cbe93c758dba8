import { toCsvLine } from '#domain/csv.ts'
import type { SweptSetting } from '#contract/console/experiments/sweeps.ts'

/** A setting in the table and in the picture. */
export interface SweepRow extends SweptSetting {
  label: string
}

const CSV_COLUMNS = [
  'search_method',
  'top_k',
  'score_threshold',
  'weights',
  'chunk_tokens',
  'source',
  'questions',
  'hit',
  'mrr',
  'tokens',
  'best',
]

/** Ascending numbers, those in a row as a range: `1,3–5`. */
export function formatNumbers(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range && range[1] === number - 1) range[1] = number
    else ranges.push([number, number])
  }
  return ranges
    .map(([first, last]) => (first === last ? first : `${first}${last === first + 1 ? ',' : '–'}${last}`))
    .join(',')
}

/** The table as a file, fields by their names on the wire. */
export const toCsvText = (rows: readonly SweepRow[]): string =>
  [
    toCsvLine(CSV_COLUMNS),
    ...rows.map(({ values, source, questions, hit, mrr, tokens, best }) =>
      toCsvLine([
        values.search_method,
        values.top_k,
        values.score_threshold,
        values.weights,
        values.chunk_tokens,
        source,
        questions,
        hit,
        mrr,
        tokens,
        best !== null,
      ]),
    ),
  ].join('')
