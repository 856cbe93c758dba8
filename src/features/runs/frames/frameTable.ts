import { type EventFold, getEntryFold } from '#domain/stream/eventFolds.ts'
import { parseBlockEvent, parseSseBlock } from '#domain/stream/sseBlock.ts'
import type { Frame, Run } from '#contract/console/runs.ts'
import { asRecord, asText } from '#domain/stream/untrustedJson.ts'

/** What a frame is to the eye: words of the answer, a ping or a comment, what could not be read, or any other event. */
export type FrameKind = 'words' | 'quiet' | 'broken' | 'event'

/** The text that one frame gave the answer: `to` is exclusive, in UTF-16 units of the whole text. */
export interface TextRange {
  from: number
  to: number
}

interface TextFoldState {
  text: string
}

/**
 * The frames of one run and what each was. The lists grow at their end with `frames`; of each the first `count` belong to
 * this value. Only a text that the platform replaces changes what stands in them: the words of earlier frames are gone.
 */
export interface FrameTable {
  entry: Run['entry']
  frames: readonly Frame[]
  count: number
  events: string[]
  kinds: FrameKind[]
  from: number[]
  to: number[]
  /** The number of the first frame with words, null before it came. */
  firstTextFrame: number | null
  state: TextFoldState
}

export const emptyTable = (entry: Run['entry'], frames: readonly Frame[]): FrameTable => ({
  entry,
  frames,
  count: 0,
  events: [],
  kinds: [],
  from: [],
  to: [],
  firstTextFrame: null,
  state: getEntryFold(entry).initial,
})

/** Takes the frames up to number `count` in. The text is folded by the one fold that draws the answer. */
export function growTable(table: FrameTable, count: number): FrameTable {
  if (count <= table.count) return table
  const grown = { ...table, count }
  for (let index = table.count; index < count; index++) {
    const frame = table.frames[index]
    if (frame) addFrame(grown, frame, index)
  }
  return grown
}

function addFrame(table: FrameTable, frame: Frame, index: number): void {
  const event = parseBlockEvent(frame.block)
  const before = table.state.text
  const state = foldEvent(table, event)
  table.state = state
  table.events[index] = getEventName(frame, event)
  table.from[index] = -1
  table.to[index] = -1
  const eventText = readEventText(event)
  if (state.text !== before) assignText(table, index, before, eventText)
  const hasText = (table.from[index] ?? -1) >= 0
  table.kinds[index] = hasText ? 'words' : getFrameKind(frame, event)
  if (hasText) table.firstTextFrame ??= index + 1
}

const foldEvent = ({ entry, state }: FrameTable, event: unknown): TextFoldState =>
  (getEntryFold(entry) as EventFold<TextFoldState>).fold(state, event)

/** Gives the new words to the frame. What stood before and stands no more belongs to nobody. */
function assignText(table: FrameTable, index: number, before: string, eventText: string | null): void {
  const { text } = table.state
  // A delta is told by its length, so that a long text is not compared at each of its frames.
  const isDelta = eventText !== null && text.length === before.length + eventText.length && before !== ''
  const commonLength = isDelta || before === '' ? before.length : countCommonPrefix(before, text)
  if (commonLength < before.length)
    for (let earlier = 0; earlier < index; earlier++) {
      if ((table.to[earlier] ?? -1) <= commonLength) continue
      const isGone = (table.from[earlier] ?? 0) >= commonLength
      table.from[earlier] = isGone ? -1 : (table.from[earlier] ?? 0)
      table.to[earlier] = isGone ? -1 : commonLength
    }
  if (commonLength === text.length) return
  table.from[index] = commonLength
  table.to[index] = text.length
}

/** A replacement that says the same beginning again does not take it from the frames that said it first. */
function countCommonPrefix(one: string, other: string): number {
  const shorterLength = Math.min(one.length, other.length)
  let at = 0
  while (at < shorterLength && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

/** The words that an event carries, wherever its kind puts them. */
function readEventText(event: unknown): string | null {
  const record = asRecord(event)
  return asText(record?.answer) ?? asText(asRecord(record?.data)?.text)
}

function getEventName({ block }: Frame, event: unknown): string {
  const named = asText(asRecord(event)?.event)
  if (named !== null && named !== '') return named
  const { event: line, data } = parseSseBlock(block)
  if (line !== '') return line
  if (data !== null) return ''
  return block.startsWith(':') ? 'comment' : ''
}

function getFrameKind({ raw }: Frame, event: unknown): FrameKind {
  if (raw !== undefined) return 'broken'
  if (event === undefined) return 'quiet'
  return asRecord(event) ? 'event' : 'broken'
}

/** The words that a frame gave, null where it gave none or where they are gone. `seq` counts from 1. */
export function getTextRange({ from, to, count }: FrameTable, seq: number): TextRange | null {
  const start = seq > count ? undefined : from[seq - 1]
  const end = to[seq - 1]
  return start === undefined || end === undefined || start < 0 ? null : { from: start, to: end }
}

/** The number of the frame that gave the character at `offset`, null where none did. */
export function findFrameAt(table: FrameTable, offset: number): number | null {
  for (let index = 0; index < table.count; index++)
    if ((table.to[index] ?? -1) > offset && (table.from[index] ?? -1) <= offset) return index + 1
  return null
}

/** Milliseconds between a frame and the one before it; the first one's is the wait since the request. */
export const getGapMs = ({ frames }: Pick<FrameTable, 'frames'>, seq: number): number =>
  Math.max(0, (frames[seq - 1]?.at ?? 0) - (seq > 1 ? (frames[seq - 2]?.at ?? 0) : 0))
