import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  chunkWithWarnings,
  toLabPlan,
  type ChunkSetting,
  defaultChunkSetting,
  findChunkWarnings,
} from './labChunking.ts'
import {
  findSettingErrors,
  toProcessRule,
  parseSettingDraft,
  settingFromRule,
  toSettingDraft,
} from '../chunkSettingDraft.ts'

/** A word a token, so that figures can be worked out by hand. */
const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length
const chunkText = (text: string, setting: Partial<ChunkSetting>) => [
  ...chunkWithWarnings(text, toLabPlan({ ...defaultChunkSetting, ...setting }), countWords),
]

const segmentations = fc.record({
  separator: fc.constantFrom('\n', '\n\n', '.*', '(', '###'),
  max_tokens: fc.integer({ min: 1, max: 4000 }),
  chunk_overlap: fc.constant(0),
})
const settings: fc.Arbitrary<ChunkSetting> = fc.record({
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
      const chunks = chunkText(parts.join(' '), {
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

test('what is typed, what is cut and what is sent are one setting', () => {
  fc.assert(
    fc.property(settings, (setting) => {
      const back = parseSettingDraft(toSettingDraft(setting))
      expect(toLabPlan(back)).toEqual(toLabPlan(setting))
      if (setting.mode === 'hierarchical')
        expect(settingFromRule(toProcessRule(setting), setting.doc_form)).toEqual({ ...setting })
    }),
  )
})

test('a setting that cannot cut says so at its field', () => {
  const faulty = (segmentation: Partial<ChunkSetting['segmentation']>) =>
    findSettingErrors({
      ...defaultChunkSetting,
      segmentation: { ...defaultChunkSetting.segmentation, ...segmentation },
    })
  expect(faulty({})).toEqual({})
  expect(faulty({ max_tokens: 0 })).toEqual({ 'segmentation.max_tokens': 'tokensError' })
  expect(faulty({ max_tokens: 4001 })).toEqual({ 'segmentation.max_tokens': 'tokensError' })
  expect(faulty({ max_tokens: NaN })).toEqual({ 'segmentation.max_tokens': 'tokensError' })
  expect(faulty({ chunk_overlap: 500 })).toEqual({ 'segmentation.chunk_overlap': 'overlapError' })
  expect(faulty({ separator: '' })).toEqual({ 'segmentation.separator': 'separatorError' })
})

test('a cut inside a sentence or a table is said, one at its end is not', () => {
  const at = (text: string, end: number, tokens = 5) => findChunkWarnings(text, { start: 0, end, tokens }, 10, false)
  const text = 'The lamp is hot. Let it cool.\n\nNext'
  expect(at(text, text.indexOf(' Let'))).toEqual([])
  expect(at(text, text.indexOf(' is'))).toEqual(['sentence'])
  expect(at(text, text.indexOf('\n'))).toEqual([])
  const table = '| a | b |\n| 1 | 2 |\n| 3 | 4 |'
  expect(at(table, table.indexOf('\n| 3'))).toEqual(['table'])
  expect(at('--- ***', 7)).toEqual(['empty'])
  expect(at(text, 16, 11)).toEqual(['over'])
})

test('a chunk is giant by its tokens, also where characters are measured', () => {
  const text = 'word '.repeat(2_001).trim()
  const setting = { ...defaultChunkSetting, segmentation: { separator: '###', max_tokens: 20_000, chunk_overlap: 0 } }
  const warningsBy = (countSize: (inside: string) => number) =>
    [...chunkWithWarnings(text, toLabPlan(setting), countSize, countWords)].map(({ warnings }) => warnings)
  expect(warningsBy(countWords)).toEqual([['giant']])
  expect(warningsBy((inside) => inside.length)).toEqual([['giant']])
  const short = text.slice(0, 5_000)
  expect([...chunkWithWarnings(short, toLabPlan(setting), (inside) => inside.length, countWords)][0]?.warnings).toEqual(
    [],
  )
})
