import { asRecord, asText } from '#domain/stream/untrustedJson.ts'
import { parseEventData } from '#domain/stream/sseBlock.ts'
import type { FrameTable } from './frameTable.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** Consecutive similar frames, shown as one row. */
interface FrameFold {
  from: number
  to: number
}

export type FrameRow = number | FrameFold

/** Frames fold in units of this size, so that a growing list rarely shifts; the last frames of a run stay unfolded. */
const FOLD_UNIT_FRAMES = 30
const MIN_UNFOLDED_FRAMES = 13
const FOLDED_EVENTS = new Set(['message', 'agent_message', 'text_chunk'])

interface FrameRowOptions {
  /** The first frames of the manually opened folds; `all` opens every one. */
  expanded: ReadonlySet<number> | 'all'
  selected: number | null
  filter: string
}

/** The rows of the list. A search shows its matches without folds. */
export function toFrameRows(table: FrameTable, { expanded, selected, filter }: FrameRowOptions): FrameRow[] {
  if (filter.trim() !== '') return findFrames(table, filter)
  const rows: FrameRow[] = []
  let seq = 1
  while (seq <= table.count) {
    const end = findRunEnd(table, seq)
    const folds = Math.floor((end - seq + 1 - MIN_UNFOLDED_FRAMES) / FOLD_UNIT_FRAMES) * FOLD_UNIT_FRAMES
    const to = seq + folds - 1
    const isOpen = expanded === 'all' || expanded.has(seq) || (selected !== null && selected >= seq && selected <= to)
    if (folds > 0 && !isOpen) {
      rows.push({ from: seq, to })
      seq = to + 1
    }
    for (; seq <= end; seq++) rows.push(seq)
  }
  return rows
}

function findRunEnd({ events, kinds, count }: FrameTable, seq: number): number {
  const event = events[seq - 1] ?? ''
  if (!FOLDED_EVENTS.has(event)) return seq
  let end = seq
  while (end < count && events[end] === event && kinds[end] !== 'broken') end++
  return end
}

/** `event:message` filters by event, any other term by frame text; all terms must match. */
function findFrames({ frames, events, count }: FrameTable, filter: string): number[] {
  const words = filter.trim().toLowerCase().split(/\s+/)
  const names = words.flatMap((word) => (word.startsWith('event:') ? [word.slice(6)] : []))
  const texts = words.filter((word) => !word.startsWith('event:'))
  const rows: number[] = []
  for (let index = 0; index < count; index++) {
    const name = events[index]?.toLowerCase() ?? ''
    if (!names.every((one) => name.includes(one))) continue
    const block = texts.length > 0 ? (frames[index]?.block.toLowerCase() ?? '') : ''
    if (texts.every((one) => block.includes(one))) rows.push(index + 1)
  }
  return rows
}

/** The most informative fields of a frame, in order of preference. */
const PREVIEW_FIELD_PATTERNS = [
  'answer',
  'reason',
  'thought',
  'title',
  'text',
  'status',
  'message',
  'metadata',
  'data',
].map((name) => new RegExp(`"${name}"\\s*:`))
const MAX_PREVIEW_CHARS = 140

/** A one-line preview of a frame from its most informative field on; the raw text if it is not JSON. */
export function toFramePreview(block: string): string {
  const start = block.indexOf('data:')
  if (start < 0) return block.startsWith('event:') ? '' : truncateText(block, MAX_PREVIEW_CHARS)
  const data = block.slice(start + 5).trimStart()
  if (!data.startsWith('{')) return truncateText(data, MAX_PREVIEW_CHARS)
  for (const field of PREVIEW_FIELD_PATTERNS) {
    const at = data.search(field)
    if (at >= 0) return `{${data.slice(at, at + MAX_PREVIEW_CHARS)}`
  }
  return truncateText(data, MAX_PREVIEW_CHARS)
}

/** The field of a frame's data that contains its text; none if the data is not JSON. */
export function findTextField(data: string | null): string | undefined {
  const record = asRecord(parseEventData(data))
  return asText(record?.answer) !== null ? 'answer' : asText(asRecord(record?.data)?.text) !== null ? 'data' : undefined
}
