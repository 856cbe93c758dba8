import { JsonScanner } from './jsonScanner.ts'
import { asRecord } from './untrustedJson.ts'

/** The largest event of a stream that is stored in full, in bytes. Of a larger one the first part is stored. */
export const MAX_EVENT_BYTES = 1024 * 1024

/** How much of a cut event is stored, and its size, in bytes. */
export interface EventCut {
  stored: number
  size: number
}

const CUT_MARK_PATTERN = /^: first (\d{1,15}) of (\d{1,15}) bytes stored$/

/** The mark is a comment line, the last one of the block, so that it goes wherever the block goes. */
export const addCutMark = (text: string, { stored, size }: EventCut): string =>
  `${text}\n: first ${stored} of ${size} bytes stored`

export function readCutMark(line: string): EventCut | null {
  const match = CUT_MARK_PATTERN.exec(line)
  return match && { stored: Number(match[1]), size: Number(match[2]) }
}

const cutEvents = new WeakSet()

/** Whether an event was cut: fields that it lacks may have been sent. */
export const isCutEvent = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && cutEvents.has(event)

/** An event of which only the first part was stored; without fields where no JSON object begins in it. */
export function toCutEvent(value: unknown): Record<string, unknown> {
  const event = asRecord(value) ?? {}
  cutEvents.add(event)
  return event
}

/** The JSON that begins in a text which was cut. */
export function closeCutJson(json: string): string {
  const scanner = new JsonScanner()
  scanner.scan(json)
  return scanner.close(json)
}
