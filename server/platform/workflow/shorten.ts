const TEXT = 10_000
const ITEMS = 100
const DEPTH = 12

/** A value as events carry it: long texts and lists are cut, and that they were is said. The run itself keeps the whole. */
export function shorten<Value>(value: Value): { value: Value; truncated: boolean } {
  let truncated = false
  const cut = (part: unknown, depth: number): unknown => {
    if (typeof part === 'string' && part.length > TEXT) {
      truncated = true
      return `${part.slice(0, TEXT).toWellFormed()}…`
    }
    if (typeof part !== 'object' || part === null) return part
    if (depth === DEPTH) {
      truncated = true
      return null
    }
    if (Array.isArray(part)) {
      if (part.length > ITEMS) truncated = true
      return part.slice(0, ITEMS).map((item) => cut(item, depth + 1))
    }
    return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, cut(item, depth + 1)]))
  }
  return { value: cut(value, 0) as Value, truncated }
}
