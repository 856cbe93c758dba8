import { LosslessNumber } from './losslessJson.ts'

/** Maximum characters of a string that is escaped at once, and of a value that is written at once. */
const MAX_TOKEN_CHARS = 65_536

/** Whether a JSON value has at least so many characters of text and names. Looks no further than that. */
export function isLargeJson(value: unknown, chars: number): boolean {
  let left = chars
  const stack: unknown[] = [value]
  while (stack.length > 0 && left > 0) {
    const next = stack.pop()
    left -= typeof next === 'string' ? next.length : 1
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next))
      for (let index = Math.min(next.length, left) - 1; index >= 0; index--) stack.push(next[index])
    else
      for (const [name, one] of Object.entries(next)) {
        left -= name.length
        stack.push(one)
      }
  }
  return left <= 0
}

/**
 * The JSON text of a plain value in pieces of at least `chars` characters, except the last: unlike `JSON.stringify`
 * of megabytes, none blocks others for long. No piece ends inside a surrogate pair.
 */
export function* toJsonPieces(value: unknown, chars: number): Generator<string> {
  let piece = ''
  for (const token of toTokens(value)) {
    piece += token
    if (piece.length < chars) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

function* toTokens(value: unknown): Generator<string> {
  if (!isLargeJson(value, MAX_TOKEN_CHARS) || value instanceof LosslessNumber) yield JSON.stringify(value) ?? 'null'
  else if (typeof value === 'string') yield* toStringTokens(value)
  else if (Array.isArray(value)) {
    let separator = '['
    for (const one of value as unknown[]) {
      yield separator
      yield* toTokens(one)
      separator = ','
    }
    yield ']'
  } else {
    let separator = '{'
    for (const [name, one] of Object.entries(value as object)) {
      if (one === undefined) continue
      yield `${separator}${JSON.stringify(name)}:`
      yield* toTokens(one)
      separator = ','
    }
    yield separator === '{' ? '{}' : '}'
  }
}

function* toStringTokens(text: string): Generator<string> {
  yield '"'
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + MAX_TOKEN_CHARS)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
    start = end
  }
  yield '"'
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
