import { isJsonContainer } from '#domain/losslessJson.ts'
import { truncateText } from '#contract/truncatedText.ts'

const MAX_TEXT_CHARS = 10_000
const MAX_ITEMS = 100
const MAX_DEPTH = 12

/** A value for events: long texts and lists are truncated, with a note. The run itself stores the full value. */
export function truncateValue<Value>(value: Value): { value: Value; truncated: boolean } {
  let truncated = false
  const truncatePart = (part: unknown, depth: number): unknown => {
    if (typeof part === 'string' && part.length > MAX_TEXT_CHARS) {
      truncated = true
      return `${truncateText(part, MAX_TEXT_CHARS)}…`
    }
    if (!isJsonContainer(part)) return part
    if (depth === MAX_DEPTH) {
      truncated = true
      return null
    }
    if (Array.isArray(part)) {
      if (part.length > MAX_ITEMS) truncated = true
      return part.slice(0, MAX_ITEMS).map((item) => truncatePart(item, depth + 1))
    }
    return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, truncatePart(item, depth + 1)]))
  }
  return { value: truncatePart(value, 0) as Value, truncated }
}
