import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JsonLine, toJsonLines } from './jsonLines.ts'

const join = (lines: readonly JsonLine[]): string =>
  lines
    .map(
      ({ depth, key, value, comma }) =>
        `${'  '.repeat(depth)}${key === null ? '' : `${key}: `}${value}${comma ? ',' : ''}`,
    )
    .join('\n')

test('any JSON is laid out as JSON.stringify lays it out', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const whole = JSON.stringify(value, null, 2)
      for (const text of [whole, JSON.stringify(value)]) {
        const lines = toJsonLines(text)
        expect(lines && join(lines)).toBe(whole)
        lines?.forEach((line, index) => {
          if (line.kind !== 'open') return
          expect(lines[line.end]).toMatchObject({ kind: 'close', depth: line.depth })
          expect(line.end).toBeGreaterThan(index)
        })
      }
    }),
  )
})

test('digits, escapes and the order of names stay as they came', () => {
  const text = '{"b": 1.0, "a":1e400,"price":"0.10","big":12345678901234567890,"u":"\\u00e9\\/","b":-0}'
  expect(join(toJsonLines(text) ?? [])).toBe(
    '{\n  "b": 1.0,\n  "a": 1e400,\n  "price": "0.10",\n  "big": 12345678901234567890,\n  "u": "\\u00e9\\/",\n  "b": -0\n}',
  )
})

test.each(['', ' ', '{', '{"a":1', '[1,,2]', '{a:1}', '1 2', '[1}', 'data', '{"a" 1 :2}]', '"open', '{"event": "mess'])(
  'what is no JSON is not laid out: %s',
  (text) => expect(toJsonLines(text)).toBeNull(),
)

test('a string of a megabyte and brackets without end take no stack', () => {
  expect(toJsonLines(JSON.stringify({ a: 'x\\"'.repeat(300_000) }))).toHaveLength(3)
  expect(toJsonLines(`${'['.repeat(50_000)}1${']'.repeat(50_000)}`)).toHaveLength(100_001)
})
