import type { LabChunk, Setting } from './cutting.ts'
import type { Figures, Totals } from './figures.ts'
import type { Unread } from './read.ts'

/** What the page asks of the worker; each has a number, and all answers to it carry that number. */
export type Asked =
  | { id: number; kind: 'count'; text: string }
  | { id: number; kind: 'read'; file: File }
  | { id: number; kind: 'cut'; text: string; setting: Setting }
  | { id: number; kind: 'cancel' }

export type Told =
  | { id: number; kind: 'count'; tokens: number }
  | { id: number; kind: 'read'; text: string }
  | { id: number; kind: 'unread'; why: Unread }
  | { id: number; kind: 'tidied'; text: string }
  /** `at` is how far into the text the last of them ends; the figures are of all until here. */
  | { id: number; kind: 'chunks'; chunks: LabChunk[]; figures: Figures; at: number }
  /** Milliseconds that the worker was busy with it, and what it came to. */
  | { id: number; kind: 'done'; took: number; totals: Totals }
  | { id: number; kind: 'failed'; reason: string }
