import type { ChunkMeasure } from '#domain/chunking/chunkMeasure.ts'
import type { DocumentText } from '#domain/documentReading/readingLoss.ts'
import type { TextEncoding } from '#domain/text/decodeText.ts'
import type { LabChunk, ChunkSetting, TextLayout } from './labChunking.ts'
import type { ChunkStats, ChunkTotals } from './chunkStats.ts'

/** What the page asks of the worker; each has a number, and all answers to it carry that number. */
export type LabWorkerRequest =
  | { id: number; kind: 'count'; text: string }
  | { id: number; kind: 'read'; file: File; encoding: TextEncoding | null }
  | { id: number; kind: 'cut'; text: string; layout: TextLayout; setting: ChunkSetting; measure: ChunkMeasure }
  | { id: number; kind: 'cancel' }

export type LabWorkerResponse =
  | { id: number; kind: 'count'; tokens: number }
  | { id: number; kind: 'read'; document: DocumentText }
  | { id: number; kind: 'unread'; reason: string }
  | { id: number; kind: 'tidied'; text: string }
  /** `at` is how far into the text the last of them ends; the figures are of all until here. */
  | { id: number; kind: 'chunks'; chunks: LabChunk[]; figures: ChunkStats; at: number }
  /** Milliseconds of work, and the totals. */
  | { id: number; kind: 'done'; took: number; totals: ChunkTotals }
  | { id: number; kind: 'failed'; reason: string }

export const MAX_LAB_FILE_BYTES = 30 * 1024 * 1024
