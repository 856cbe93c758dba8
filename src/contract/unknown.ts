import { asJson } from './untrusted.ts'

/** An event that no rule here knows, or that lacks what its rule needs: its name, how often it came, and the first one as it came. */
export interface UnknownEvent {
  event: string
  count: number
  sample: unknown
}

/** Names for what has none. */
export const NOT_AN_OBJECT = '(not an object)'
export const NAMELESS = '(no event name)'

/** More names than this, or longer ones, come from a fault and not from a platform; they are counted together. */
export const NAMES = 100
export const OTHERS = '(others)'
const NAME_LENGTH = 200

/** Keeps an event that could not be folded, so that nothing a platform says is lost. */
export function keepUnknown<State extends { unknown: UnknownEvent[] }>(
  state: State,
  name: string,
  sample: unknown,
): State {
  const known = state.unknown
  const named = name.slice(0, NAME_LENGTH)
  const at = known.findIndex(({ event }) => event === named)
  const first = known[at]
  if (first) return { ...state, unknown: known.with(at, { ...first, count: first.count + 1 }) }
  if (known.length >= NAMES && named !== OTHERS) return keepUnknown(state, OTHERS, sample)
  return { ...state, unknown: [...known, { event: named, count: 1, sample: asJson(sample) }] }
}
