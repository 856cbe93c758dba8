import { asJson } from './untrustedJson.ts'

/**
 * An event that no rule matches, or that lacks required fields: its name, the count, and the first occurrence
 * unchanged.
 */
export interface UnknownEvent {
  event: string
  count: number
  sample: unknown
}

/** Placeholder for a missing name. */
export const NOT_AN_OBJECT = '(not an object)'
export const UNNAMED_EVENT = '(no event name)'

/** More or longer names are a fault and not the platform's; they are counted together. */
export const MAX_UNKNOWN_EVENT_NAMES = 100
export const OTHER_EVENTS = '(others)'
const MAX_EVENT_NAME_CHARS = 200

/** Stores an event that could not be folded, so that no data of a platform is lost. */
export function recordUnknownEvent<State extends { unknown: UnknownEvent[] }>(
  state: State,
  name: string,
  sample: unknown,
): State {
  const known = state.unknown
  const shortName = name.slice(0, MAX_EVENT_NAME_CHARS)
  const at = known.findIndex(({ event }) => event === shortName)
  const first = known[at]
  if (first) return { ...state, unknown: known.with(at, { ...first, count: first.count + 1 }) }
  if (known.length >= MAX_UNKNOWN_EVENT_NAMES && shortName !== OTHER_EVENTS)
    return recordUnknownEvent(state, OTHER_EVENTS, sample)
  return { ...state, unknown: [...known, { event: shortName, count: 1, sample: asJson(sample) }] }
}
