import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSeparator, splitIntoChunks, type SplitRule } from './splitText.ts'
import { countTokens as count } from 'gpt-tokenizer'
import { makeTokenCounter } from './tokenCounter.ts'

const words = fc.constantFrom(
  ...'the platform x 42 3.14 naïve 中文 分段规则 한국어 👍🏽 👨‍👩‍👧‍👦 🇨🇭 e\u0301 . 。 ， ! ### <|endoftext|>'.split(' '),
  ...[' ', '  ', '\n', '\n\n', '. ', '\t', 'a'.repeat(52)],
)
const texts = fc
  .oneof(
    fc.array(words, { maxLength: 300 }).map((list) => list.join('')),
    fc.array(words, { maxLength: 200 }).map((list) => list.join(' ')),
    fc.string({ unit: 'binary', maxLength: 400 }),
  )
  .map((text) => text.toWellFormed())
const splitRules: fc.Arbitrary<SplitRule> = fc
  .record({
    separator: fc.constantFrom(null, '\n', '\n\n', '###', '。', ' ', '.*'),
    max_tokens: fc.integer({ min: 4, max: 60 }),
    share: fc.double({ min: 0, max: 0.9, noNaN: true }),
  })
  .map(({ separator, max_tokens, share }) => ({ separator, max_tokens, chunk_overlap: Math.floor(max_tokens * share) }))

const countTokens = makeTokenCounter((text) => count(text, { disallowedSpecial: new Set<string>() }))
const splitAll = (text: string, cut: SplitRule) => [...splitIntoChunks(text, cut, countTokens)]
const visible = (text: string) => text.replace(/\s/g, '')

describe('split', () => {
  it('loses no text: what lies between the chunks is blank, or separators', () => {
    fc.assert(
      fc.property(texts, splitRules, (text, cut) => {
        let end = 0
        let between = ''
        for (const chunk of splitAll(text, cut)) {
          if (chunk.start > end) between += text.slice(end, chunk.start)
          end = Math.max(end, chunk.end)
        }
        between += text.slice(end)
        const left = visible(cut.separator ? between.replaceAll(cut.separator, '') : between)
        expect(left).toBe('')
      }),
    )
  })

  it('keeps the order, and every chunk begins and ends later than the one before', () => {
    fc.assert(
      fc.property(texts, splitRules, (text, cut) => {
        const chunks = splitAll(text, cut)
        for (const chunk of chunks) expect(chunk.end).toBeGreaterThan(chunk.start)
        for (const offsets of [chunks.map(({ start }) => start), chunks.map(({ end }) => end)])
          expect(offsets).toEqual([...new Set(offsets)].sort((one, other) => one - other))
      }),
      { examples: [['the .  分段规则', { separator: null, max_tokens: 4, chunk_overlap: 1 }]] },
    )
  })

  it('has no chunk over its limit, but for a single character that is', () => {
    fc.assert(
      fc.property(texts, splitRules, (text, cut) => {
        for (const { start, end, tokens } of splitAll(text, cut)) {
          const content = text.slice(start, end)
          expect(tokens).toBe(countTokens(content))
          if (tokens > cut.max_tokens) expect([...new Intl.Segmenter().segment(content)]).toHaveLength(1)
        }
      }),
      { examples: [['. thesupercalifragilistic', { separator: null, max_tokens: 7, chunk_overlap: 0 }]] },
    )
  })

  it('cuts no code point in two, and no joined emoji', () => {
    fc.assert(
      fc.property(texts, splitRules, (text, cut) => {
        for (const { start, end } of splitAll(text, cut)) expect(text.slice(start, end).isWellFormed()).toBe(true)
      }),
    )
    const family = '👨‍👩‍👧‍👦'
    for (const max_tokens of [4, 20, 120]) {
      const chunks = splitAll(family.repeat(40), { separator: null, max_tokens, chunk_overlap: 0 })
      expect(chunks.length).toBeGreaterThan(1)
      for (const { start, end } of chunks) expect((end - start) % family.length).toBe(0)
    }
  })

  it('repeats at most chunk_overlap tokens, and none without it or across a separator', () => {
    fc.assert(
      fc.property(texts, splitRules, (text, cut) => {
        const chunks = splitAll(text, cut)
        for (const [index, chunk] of chunks.entries()) {
          const before = chunks[index - 1]
          if (!before || chunk.start >= before.end) continue
          const repeated = text.slice(chunk.start, before.end)
          expect(countTokens(repeated)).toBeLessThanOrEqual(cut.chunk_overlap)
          if (cut.separator) expect(repeated).not.toContain(cut.separator)
        }
      }),
    )
  })

  it('repeats exactly chunk_overlap tokens where every word is one', () => {
    const text = Array.from({ length: 1000 }, () => ' word').join('')
    const chunks = splitAll(text, { separator: null, max_tokens: 50, chunk_overlap: 12 })
    const repeated = chunks
      .slice(1)
      .map((chunk, index) => countTokens(text.slice(chunk.start, chunks[index]?.end).trim()))
    expect(new Set(repeated)).toEqual(new Set([12]))
  })

  it('cuts at every separator and merges nothing', () => {
    const text = 'one###two, three### ###four'
    const contents = splitAll(text, { separator: '###', max_tokens: 50, chunk_overlap: 0 })
    expect(contents.map(({ start, end }) => text.slice(start, end))).toEqual(['one', 'two, three', 'four'])
  })

  it('takes the separator literally', () => {
    const text = 'a.*b and aXb'
    const chunks = splitAll(text, { separator: '.*', max_tokens: 50, chunk_overlap: 0 })
    expect(chunks.map(({ start, end }) => text.slice(start, end))).toEqual(['a', 'b and aXb'])
    expect(decodeSeparator('\\n\\n')).toBe('\n\n')
    expect(decodeSeparator('\\t\\\\n')).toBe('\t\\n')
  })

  it('ends a chunk at a paragraph or sentence rather than inside one', () => {
    const sentence = 'Loupe keeps every frame of a run and shows it again when it is asked for. '
    const text = `${sentence.repeat(7)}\n\n${sentence.repeat(20)}`
    for (const { start, end } of splitAll(text, { separator: null, max_tokens: 150, chunk_overlap: 0 }))
      expect(text.slice(start, end)).toMatch(/\.$/)
  })
})
