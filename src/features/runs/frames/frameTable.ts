import { type EventFold, getEntryFold } from '#domain/stream/eventFolds.ts'
import { type EventCut, MAX_EVENT_BYTES } from '#domain/stream/cutEvent.ts'
import { parseBlockEvent, parseSseBlock } from '#domain/stream/sseBlock.ts'
import { addFrameTime, NO_FRAME_TIMES, type StreamTimes } from '#domain/stream/streamTimes.ts'
import type { Frame, Run } from '#contract/console/runs.ts'
import { asRecord, asText } from '#domain/stream/untrustedJson.ts'

/** The display kind of a frame: answer text, ping or comment, unreadable, or any other event. */
type FrameKind = 'words' | 'quiet' | 'broken' | 'event'

/** The text that a frame added to the answer: `to` is exclusive, in UTF-16 units of the whole text. */
export interface TextRange {
  from: number
  to: number
}

interface TextFoldState {
  text: string
}

/**
 * The frames of a run with their kinds. The lists are append-only like `frames`; the first `count` entries belong to
 * this value. Only a message_replace event changes existing entries: it discards the text of earlier frames.
 */
export interface FrameTable {
  entry: Run['entry']
  frames: readonly Frame[]
  count: number
  events: string[]
  kinds: FrameKind[]
  from: number[]
  to: number[]
  /** The number of the first frame with text, null before it arrives. */
  firstTextFrame: number | null
  times: StreamTimes
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
  times: NO_FRAME_TIMES,
  state: getEntryFold(entry).initial,
})

/** Adds the frames up to `count`. The text comes from the same fold that renders the answer. */
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
  table.times = addFrameTime(table.times, frame.at, hasText)
}

const foldEvent = ({ entry, state }: FrameTable, event: unknown): TextFoldState =>
  (getEntryFold(entry) as EventFold<TextFoldState>).fold(state, event)

/** Assigns new text to the frame. Text that was replaced belongs to no frame. */
function assignText(table: FrameTable, index: number, before: string, eventText: string | null): void {
  const { text } = table.state
  // A delta is recognized by its length, to avoid comparing a long text at every frame.
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

/** A replacement that repeats a prefix leaves that prefix with its original frames. */
function countCommonPrefix(one: string, other: string): number {
  const shorterLength = Math.min(one.length, other.length)
  let at = 0
  while (at < shorterLength && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

/** How much of a frame is stored; null for all of it. */
export const getFrameCut = ({ bytes, block }: Frame): EventCut | null =>
  bytes > MAX_EVENT_BYTES ? parseSseBlock(block).cut : null

/** The text of an event, wherever its type stores it. */
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

/** The text range of a frame, null if it added none or it was replaced. `seq` counts from 1. */
export function getTextRange({ from, to, count }: FrameTable, seq: number): TextRange | null {
  const start = seq > count ? undefined : from[seq - 1]
  const end = to[seq - 1]
  return start === undefined || end === undefined || start < 0 ? null : { from: start, to: end }
}

/** The number of the frame that added the character at `offset`, null if none did. */
export function findFrameAt(table: FrameTable, offset: number): number | null {
  for (let index = 0; index < table.count; index++)
    if ((table.to[index] ?? -1) > offset && (table.from[index] ?? -1) <= offset) return index + 1
  return null
}

/** Milliseconds since the previous frame; for the first one, since the request. */
export const getGapMs = ({ frames }: Pick<FrameTable, 'frames'>, seq: number): number =>
  Math.max(0, (frames[seq - 1]?.at ?? 0) - (seq > 1 ? (frames[seq - 2]?.at ?? 0) : 0))
