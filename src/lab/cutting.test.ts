import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutUp, planFor, type Setting, usualSetting } from './cutting.ts'
import { faultsOf } from './faults.ts'
import { figuresOf } from './figures.ts'
import { ruleOf, settingOf, settingOfRule, typedOf } from './typed.ts'
import { warningsOf } from './warnings.ts'

/** A word a token, so that figures can be worked out by hand. */
const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length
const cut = (text: string, setting: Partial<Setting>) => [
  ...cutUp(text, planFor({ ...usualSetting, ...setting }), countWords),
]

const segmentations = fc.record({
  separator: fc.constantFrom('\n', '\n\n', '.*', '(', '###'),
  max_tokens: fc.integer({ min: 1, max: 4000 }),
  chunk_overlap: fc.constant(0),
})
const settings: fc.Arbitrary<Setting> = fc.record({
  doc_form: fc.constantFrom('text_model', 'hierarchical_model'),
  mode: fc.constantFrom('custom', 'hierarchical'),
  remove_extra_spaces: fc.boolean(),
  remove_urls_emails: fc.boolean(),
  segmentation: segmentations,
  parent_mode: fc.constantFrom('paragraph', 'full-doc'),
  subchunk_segmentation: segmentations,
})

test('children lie inside their segment, in order, and none is bigger than its limit', () => {
  const texts = fc.array(fc.constantFrom('one two', 'three.', '\n', '\n\n', ' ', '.*', 'four five six'), {
    maxLength: 80,
  })
  fc.assert(
    fc.property(texts, segmentations, (parts, subchunk_segmentation) => {
      const chunks = cut(parts.join(' '), {
        doc_form: 'hierarchical_model',
        mode: 'hierarchical',
        subchunk_segmentation,
      })
      for (const { start, end, children } of chunks)
        for (const [index, child] of children.entries()) {
          expect(child.start).toBeGreaterThanOrEqual(children[index - 1]?.start ?? start)
          expect(child.end).toBeLessThanOrEqual(end)
          expect(child.tokens).toBeLessThanOrEqual(subchunk_segmentation.max_tokens)
        }
    }),
  )
})

test('a separator of regex characters is literal', () => {
  const segmentation = { separator: '.*', max_tokens: 50, chunk_overlap: 0 }
  expect(cut('a.*b and aXb', { segmentation })).toHaveLength(2)
})

test('what is typed, what is cut and what is sent are one setting', () => {
  fc.assert(
    fc.property(settings, (setting) => {
      const back = settingOf(typedOf(setting))
      expect(planFor(back)).toEqual(planFor(setting))
      if (setting.mode === 'hierarchical')
        expect(settingOfRule(ruleOf(setting), setting.doc_form)).toEqual({ ...setting })
    }),
  )
})

test('a setting that cannot cut says so at its field', () => {
  const faulty = (segmentation: Partial<Setting['segmentation']>) =>
    faultsOf({ ...usualSetting, segmentation: { ...usualSetting.segmentation, ...segmentation } })
  expect(faulty({})).toEqual({})
  expect(faulty({ max_tokens: 0 })).toEqual({ 'segmentation.max_tokens': 'faultTokens' })
  expect(faulty({ max_tokens: 4001 })).toEqual({ 'segmentation.max_tokens': 'faultTokens' })
  expect(faulty({ max_tokens: NaN })).toEqual({ 'segmentation.max_tokens': 'faultTokens' })
  expect(faulty({ chunk_overlap: 500 })).toEqual({ 'segmentation.chunk_overlap': 'faultOverlap' })
  expect(faulty({ separator: '' })).toEqual({ 'segmentation.separator': 'faultSeparator' })
})

test('a cut inside a sentence or a table is said, one at its end is not', () => {
  const at = (text: string, end: number, tokens = 5) => warningsOf(text, { start: 0, end, tokens }, 10, true)
  const text = 'The lamp is hot. Let it cool.\n\nNext'
  expect(at(text, text.indexOf(' Let'))).toEqual([])
  expect(at(text, text.indexOf(' is'))).toEqual(['sentence'])
  expect(at(text, text.indexOf('\n'))).toEqual([])
  const table = '| a | b |\n| 1 | 2 |\n| 3 | 4 |'
  expect(at(table, table.indexOf('\n| 3'))).toEqual(['table'])
  expect(at('--- ***', 7)).toEqual(['empty'])
  expect(at(text, 16, 11)).toEqual(['over'])
})

test('the histogram holds every chunk that is found, once', () => {
  const chunks = cut('one two three. four five six. seven\n\neight nine', {
    segmentation: { separator: '\n\n', max_tokens: 3, chunk_overlap: 0 },
  })
  const { bins, segments, tokens, largest } = figuresOf(chunks)
  const sizes = chunks.map((chunk) => chunk.tokens)
  expect(segments).toBe(chunks.length)
  expect(tokens).toBe(9)
  expect(largest).toBe(Math.max(...sizes))
  for (const { from, to, count } of bins) expect(count).toBe(sizes.filter((size) => size >= from && size <= to).length)
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(chunks.length)
})
