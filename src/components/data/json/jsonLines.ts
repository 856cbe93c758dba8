/** One line of formatted JSON. Its tokens are slices of the source and are never serialized again. */
export interface JsonLine {
  depth: number
  /** The key with its quotes, from the source; null in a list. */
  key: string | null
  kind: 'string' | 'number' | 'word' | 'open' | 'close'
  /** The source of the value, or the bracket; an empty object or list is one value. */
  value: string
  comma: boolean
  /** For an opening line: the index of its closing line, and the number of entries between. */
  end: number
  size: number
}

const JSON_TOKEN_PATTERN = /[ \t\r\n]*(?:([{}[\]:,])|("[^"\\]*(?:\\[^][^"\\]*)*")|(-?\d[\d.eE+-]*)|(true|false|null))/y

/** Formats JSON as lines with the original order and digits. Null if the text is not JSON. */
export function toJsonLines(text: string): JsonLine[] | null {
  const lines: JsonLine[] = []
  const open: number[] = []
  let key: string | null = null
  let last = ''
  JSON_TOKEN_PATTERN.lastIndex = 0
  while (JSON_TOKEN_PATTERN.lastIndex < text.length) {
    const at = JSON_TOKEN_PATTERN.lastIndex
    const token = JSON_TOKEN_PATTERN.exec(text)
    if (!token) return /^\s*$/.test(text.slice(at)) && open.length === 0 && lines.length > 0 ? lines : null
    const [, mark, string, number, word] = token
    const parent = lines[open.at(-1) ?? -1]
    if (mark === ':') {
      if (last !== 'string' || parent?.value !== '{') return null
      key = lines.pop()?.value ?? null
      parent.size--
    } else if (mark === ',') {
      const before = lines.at(-1)
      if (!parent || !before || last === ',' || last === 'open') return null
      before.comma = true
    } else if (mark === '}' || mark === ']') {
      const start = open.pop()
      const opener = start === undefined ? undefined : lines[start]
      if (!opener || start === undefined || opener.value !== (mark === '}' ? '{' : '[')) return null
      if (last === 'open') Object.assign(opener, { kind: 'word', value: `${opener.value}${mark}`, end: start })
      else {
        opener.end = lines.length
        lines.push({ ...emptyLine, depth: open.length, kind: 'close', value: mark })
      }
    } else {
      const kind = mark ? 'open' : string !== undefined ? 'string' : number !== undefined ? 'number' : 'word'
      if (parent) parent.size++
      else if (lines.length > 0) return null
      if (mark) open.push(lines.length)
      lines.push({
        ...emptyLine,
        depth: open.length - (mark ? 1 : 0),
        key,
        kind,
        value: mark ?? string ?? number ?? word ?? '',
      })
      key = null
      last = kind
      continue
    }
    last = mark ?? ''
  }
  return open.length === 0 && lines.length > 0 ? lines : null
}

const emptyLine = { key: null, comma: false, end: 0, size: 0 } satisfies Partial<JsonLine>

export const toSearchText = ({ key, value }: JsonLine): string => (key === null ? value : `${key}: ${value}`)
