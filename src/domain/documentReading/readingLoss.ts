import type { TextEncoding } from '../text/decodeText.ts'

/** What can be lost while a file is read. The values are part of the API, and stored with documents. */
export const READING_LOSS_KINDS = [
  'picture',
  'page_without_text',
  'unreadable_character',
  'hidden_text',
  'struck_text',
  'embedded_object',
  'hidden_sheet',
  'formula_without_result',
  'head_without_rows',
  'unnamed_cell',
  'extra_cell',
  'row_without_question',
  'row_without_answer',
  'text_outside_pairs',
] as const
export type ReadingLossKind = (typeof READING_LOSS_KINDS)[number]

export interface ReadingLoss {
  kind: ReadingLossKind
  count: number
  /** The first places, by number from 1; absent if the file has no places that a person can look up. */
  places?: { unit: 'page' | 'row' | 'line'; numbers: number[] }
}

export interface DocumentText {
  text: string
  losses: ReadingLoss[]
  /** Of a text file. */
  encoding?: TextEncoding
}

const MAX_PLACES = 20

/** Collects the losses of one file; those of one kind are one loss. */
export class ReadingLosses {
  readonly list: ReadingLoss[] = []

  add(kind: ReadingLossKind, place?: { unit: 'page' | 'row' | 'line'; number: number }, count = 1): void {
    if (count === 0) return
    let loss = this.list.find((known) => known.kind === kind)
    if (!loss) this.list.push((loss = { kind, count: 0 }))
    loss.count += count
    if (!place) return
    loss.places ??= { unit: place.unit, numbers: [] }
    if (loss.places.numbers.length < MAX_PLACES && loss.places.numbers.at(-1) !== place.number)
      loss.places.numbers.push(place.number)
  }
}
