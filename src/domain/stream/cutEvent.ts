import { JsonScanner } from './jsonScanner.ts'
import { asRecord } from './untrustedJson.ts'

/** The largest event that is stored in full, in bytes. Of larger ones only the first part is stored. */
export const MAX_EVENT_BYTES = 1024 * 1024

/** How much of a cut event is stored, and its size, in bytes. */
export interface EventCut {
  stored: number
  size: number
}

const CUT_MARK_PATTERN = /^: first (\d{1,15}) of (\d{1,15}) bytes stored$/

/** The mark is a comment line at the end of the block, so that it travels with the block. */
export const addCutMark = (text: string, { stored, size }: EventCut): string =>
  `${text}\n: first ${stored} of ${size} bytes stored`

export function readCutMark(line: string): EventCut | null {
  const match = CUT_MARK_PATTERN.exec(line)
  return match && { stored: Number(match[1]), size: Number(match[2]) }
}

const cutEvents = new WeakSet()

/** Whether an event was cut: fields missing from it may have been sent. */
export const isCutEvent = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && cutEvents.has(event)

/** A cut event, of which only the first part was stored; without fields if no JSON object begins in it. */
export function toCutEvent(value: unknown): Record<string, unknown> {
  const event = asRecord(value) ?? {}
  cutEvents.add(event)
  return event
}

/** The JSON that begins in a cut text. */
export function closeCutJson(json: string): string {
  const scanner = new JsonScanner()
  scanner.scan(json)
  return scanner.close(json)
}
