import { toCsvLine } from '#domain/csv.ts'
import type { SweepMetrics } from '#domain/experiments/settingSweep.ts'
import type { SweptSetting } from './useSweep.ts'

/** A setting in the table and in the picture. */
export interface SweepRow extends SweepMetrics {
  number: number
  label: string
  of: SweptSetting
  isBest: boolean
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

/** The table as a file, fields by their names on the wire. */
export const toCsvText = (rows: readonly SweepRow[]): string =>
  [
    toCsvLine(CSV_COLUMNS),
    ...rows.map(({ of: { settings, chunk_tokens, source }, questions, hit, mrr, tokens, isBest }) =>
      toCsvLine([
        settings.search_method,
        settings.top_k,
        settings.score_threshold,
        settings.weights,
        chunk_tokens,
        source,
        questions,
        hit,
        mrr,
        tokens,
        isBest,
      ]),
    ),
  ].join('')
