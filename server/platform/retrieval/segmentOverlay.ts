import type { Pool } from 'pg'
import type { PassageRow } from '../indexing/segmentStore.ts'
import { FINDABLE_DOCUMENT_SQL } from './searchableDatasets.ts'

/** A passage that is not stored. */
export type OverlayPassage = Omit<PassageRow, 'dataset_id'>

export interface OverlaySegment {
  document_id: string
  position: number
  content: string
  tokens: number
}

/** The differences between a search and the stored state: changed segments of one dataset. */
export interface SegmentOverlay {
  /** Ids of segments whose stored passages are not searched. */
  hidden: readonly string[]
  passages: readonly OverlayPassage[]
  /** By passage id; empty without an embedding model, and for an economy dataset. */
  vectors: ReadonlyMap<string, readonly number[]>
  segments: ReadonlyMap<string, OverlaySegment>
  /** Changes in the number of passages with a term; and in the number of passages and words. */
  termChanges: ReadonlyMap<number, number>
  totalChanges: { passages: number; length: number }
  /** Whether segments of the document are searched. */
  isFindable: (document_id: string) => boolean
}

/** The overlay of segments: the counts of stored passages are subtracted, those of new ones added. */
export async function createSegmentOverlay(
  pool: Pool,
  { hidden, passages, segments }: Pick<SegmentOverlay, 'hidden' | 'passages' | 'segments'>,
): Promise<Omit<SegmentOverlay, 'vectors'>> {
  const { rows: stored } = await pool.query<{ terms: number[]; length: number }>(
    'SELECT terms, length FROM platform.passages WHERE segment_id = ANY($1::uuid[]) AND terms_version > 0',
    [hidden],
  )
  const { rows: documents } = await pool.query<{ id: string }>(
    `SELECT d.id FROM platform.documents d WHERE d.id = ANY($1::uuid[]) AND ${FINDABLE_DOCUMENT_SQL}`,
    [[...new Set(passages.map(({ document_id }) => document_id))]],
  )
  const findable = new Set(documents.map(({ id }) => id))
  const termChanges = new Map<number, number>()
  const countTerms = (terms: readonly number[], change: number) => {
    for (const term of new Set(terms)) termChanges.set(term, (termChanges.get(term) ?? 0) + change)
  }
  for (const { terms } of stored) countTerms(terms, -1)
  for (const { terms } of passages) countTerms(terms, 1)
  return {
    hidden,
    passages,
    segments,
    termChanges,
    totalChanges: {
      passages: passages.length - stored.length,
      length: sumLengths(passages) - sumLengths(stored),
    },
    isFindable: (document_id) => findable.has(document_id),
  }
}

const sumLengths = (passages: readonly { length: number }[]): number =>
  passages.reduce((sum, { length }) => sum + length, 0)
