import { expect, it } from 'vitest'
import { rechunkSegments } from './rechunkedText.ts'

const countTokens = (text: string) => text.length / 4
const SEGMENTS = Array.from({ length: 6 }, (_, index) => ({
  id: `s${index}`,
  content: `Part ${index} says that the relay sends each request once and never twice.`,
}))

it('joins segments to larger chunks, which stand for each of them', () => {
  const chunks = [...rechunkSegments(SEGMENTS, { separator: null, max_tokens: 40, chunk_overlap: 0 }, countTokens)]
  expect(chunks.length).toBeGreaterThan(1)
  expect(chunks.length).toBeLessThan(SEGMENTS.length)
  expect(chunks[0]?.segments).toEqual(['s0', 's1'])
  expect(new Set(chunks.flatMap(({ segments }) => segments))).toEqual(new Set(SEGMENTS.map(({ id }) => id)))
})

it('splits a segment into chunks that each stand for it', () => {
  const chunks = [...rechunkSegments(SEGMENTS, { separator: null, max_tokens: 8, chunk_overlap: 0 }, countTokens)]
  expect(chunks.length).toBeGreaterThan(SEGMENTS.length)
  expect(chunks.filter(({ segments }) => segments.includes('s3')).length).toBeGreaterThan(1)
  expect(chunks.every(({ segments }) => segments.length > 0)).toBe(true)
})

it('takes a text that two neighbours repeat once', () => {
  const repeated = 'and the relay sends each request once.'
  const segments = [
    { id: 'a', content: `The ledger keeps calls, ${repeated}` },
    { id: 'b', content: `${repeated} The vault seals keys.` },
  ]
  const chunks = [...rechunkSegments(segments, { separator: null, max_tokens: 500, chunk_overlap: 0 }, countTokens)]
  expect(chunks.map(({ content }) => content)).toEqual([`The ledger keeps calls, ${repeated} The vault seals keys.`])
  expect(chunks[0]?.segments).toEqual(['a', 'b'])
})
