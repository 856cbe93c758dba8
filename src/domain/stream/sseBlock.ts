import { parseLosslessJson } from '../losslessJson.ts'
import { closeCutJson, type EventCut, readCutMark, toCutEvent } from './cutEvent.ts'
import { readGapMark, setGapBefore } from './streamGap.ts'

/**
 * A block is one unparsed event of a stream: its lines joined by `\n`, without the terminating empty line. The
 * interface's streams have one `data:` line with JSON; a ping has an `event:` line and no data.
 */
export interface SseBlock {
  event: string
  data: string | null
  cut: EventCut | null
}

export function parseSseBlock(block: string): SseBlock {
  let event = ''
  let data: string | null = null
  let cut: EventCut | null = null
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon === 0) cut = readCutMark(line) ?? cut
    const field = colon < 0 ? line : line.slice(0, colon)
    if (field !== 'data' && field !== 'event') continue
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') event = value
    else data = data === null ? value : `${data}\n${value}`
  }
  return { event, data, cut }
}

/** Input of the fold for a block: the JSON of its data, the text if it is not JSON, undefined for a ping. */
export function parseBlockEvent(block: string): unknown {
  const { data, cut } = parseSseBlock(block)
  const event = cut ? parseCutEvent(data) : parseEventData(data)
  setGapBefore(event, readGapMark(block))
  return event
}

export const parseCutEvent = (data: string | null) => toCutEvent(parseEventData(closeCutJson(data ?? '')))

/** The JSON of an event's data, the text if it is not JSON, undefined without data. */
export function parseEventData(data: string | null): unknown {
  if (data === null || data === '') return undefined
  try {
    return parseLosslessJson(data)
  } catch {
    return data
  }
}
