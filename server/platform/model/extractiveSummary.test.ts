import { expect, test } from 'vitest'
import fc from 'fast-check'
import { extractSummary } from './extractiveSummary.ts'

const TEXT = `# The mill

The mill stands by the river. It grinds grain for the village. The river drives the mill by a wheel of oak. The wheel of
the mill was renewed in 1902. A cat sleeps in the loft. The village eats the bread that the mill makes possible.`

test('the sentences that tell most are kept, in their order', () => {
  const kept = extractSummary({ text: TEXT, maxSentences: 2, list: true }).split('\n')
  expect(kept).toEqual([
    '- The river drives the mill by a wheel of oak.',
    '- The village eats the bread that the mill makes possible.',
  ])
})

test('a focus prefers the sentences about it', () => {
  expect(extractSummary({ text: TEXT, maxSentences: 1, focus: 'Where does the cat sleep?' })).toBe(
    'A cat sleeps in the loft.',
  )
})

test('common words of another language do not decide, and its sentences are joined as it joins them', () => {
  const german = `Die Mühle steht am Fluss. Es war, als ob es das war und das auch noch so sein werde, wie es da war. Der Fluss
treibt das Mühlrad. Das Rad der Mühle wurde 1902 erneuert.`
  expect(extractSummary({ text: german, maxSentences: 2 })).toBe(
    'Die Mühle steht am Fluss. Das Rad der Mühle wurde 1902 erneuert.',
  )
  const chinese = '水车建于1902年。水车由橡木（oak）制成。'
  expect(extractSummary({ text: chinese, maxSentences: 2 })).toBe(chinese)
  expect(extractSummary({ text: 'The mill is old. Its sign reads 水车.', maxSentences: 2 })).toBe(
    'The mill is old. Its sign reads 水车.',
  )
})

test('without a sentence it says so', () => {
  expect(extractSummary({ text: '---\n\n!!!', maxSentences: 3 })).toMatch(/nothing to summarise/)
})

test('never more sentences than asked for, each of the text', () => {
  const prose = fc.array(fc.constantFrom('mill', 'river', '水车', '。', '.', 'grain', '\n', '!'), { maxLength: 60 })
  fc.assert(
    fc.property(prose, fc.integer({ min: 1, max: 5 }), (words, maxSentences) => {
      const text = words.join(' ')
      const lines = extractSummary({ text, maxSentences, list: true }).split('\n')
      expect(lines.length).toBeLessThanOrEqual(maxSentences)
      const flat = text.replace(/\s+/g, ' ')
      for (const line of lines) if (line.startsWith('- ')) expect(flat).toContain(line.slice(2))
    }),
  )
})
