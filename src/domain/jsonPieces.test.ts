import { describe, expect, it } from 'vitest'
import { isLargeJson, toJsonPieces } from './jsonPieces.ts'

const join = (value: unknown, chars = 1_000) => [...toJsonPieces(value, chars)].join('')

describe('the JSON text in pieces', () => {
  it.each([
    ['a small value', { a: [1, 'two', null, { b: true }], c: undefined }],
    ['a long text', { answer: 'a "quoted" line\n\\ and \u0000 '.repeat(20_000), then: 1 }],
    ['signs of two units at every place', { even: '😀'.repeat(100_000), odd: `x${'😀'.repeat(100_000)}` }],
    ['half a sign', { text: `${'x'.repeat(65_535)}\ud83d${'y'.repeat(70_000)}\ude00` }],
    ['many values', { list: Array.from({ length: 50_000 }, (_, index) => ({ index, name: `n ${index}` })), none: [] }],
    ['a large name', { ['n'.repeat(70_000)]: { ['m'.repeat(70_000)]: undefined } }],
    ['a text alone', 'x'.repeat(200_000)],
  ])('is that of JSON.stringify: %s', (_, value) => {
    expect(join(value)).toBe(JSON.stringify(value))
  })

  it('has pieces of about the size that was asked for', () => {
    const pieces = [...toJsonPieces({ answer: 'line\n'.repeat(1_000_000) }, 200_000)]
    expect(pieces.length).toBeGreaterThan(20)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(400_000)
  })
})

it('a value is large by its texts, its names, or the number of its parts', () => {
  expect(isLargeJson({ a: 'x'.repeat(99) }, 200)).toBe(false)
  expect(isLargeJson({ a: 'x'.repeat(300) }, 200)).toBe(true)
  expect(isLargeJson({ ['x'.repeat(300)]: 1 }, 200)).toBe(true)
  expect(
    isLargeJson(
      Array.from({ length: 300 }, () => null),
      200,
    ),
  ).toBe(true)
  expect(isLargeJson(null, 200)).toBe(false)
})
