import { expect, it } from 'vitest'
import { listColumn, SEGMENT_PER_LINE, setupPlatform, type TestReply } from '../datasets/platform.fixture.ts'
import { createTermUpgrade } from '../indexing/termUpgrade.ts'

const platform = setupPlatform()

const HIERARCHICAL = {
  doc_form: 'hierarchical_model',
  process_rule: {
    mode: 'hierarchical',
    rules: {
      pre_processing_rules: [],
      segmentation: { separator: '\n\n', max_tokens: 200 },
      parent_mode: 'paragraph',
      subchunk_segmentation: { separator: '\n', max_tokens: 50, chunk_overlap: 0 },
    },
  },
}

interface StoredText {
  dataset_id: string
  document_id: string
  segmentPath: string
}

async function addText(text: string, settings: Record<string, unknown> = SEGMENT_PER_LINE): Promise<StoredText> {
  const dataset_id = await platform.newDataset()
  const { id } = await platform.addText(dataset_id, text, settings)
  const path = `/datasets/${dataset_id}/documents/${String(id)}/segments`
  const [segment] = listColumn((await platform.send('GET', path)).body['data'], 'id')
  return { dataset_id, document_id: String(id), segmentPath: `${path}/${String(segment)}` }
}

const changeSegment = ({ segmentPath }: StoredText, segment: Record<string, unknown>) =>
  platform.send('POST', segmentPath, { segment })
const TEXT = 'The plain mill.'
const PAIR = 'Q: Where is the mill?\nA: At the river.'

type Change = (stored: StoredText, word: string) => Promise<TestReply>
it.each<[string, string, Record<string, unknown> | undefined, Change]>([
  ['the name', TEXT, undefined, (text, name) => platform.updateText(text.dataset_id, text.document_id, { name })],
  ['the content', TEXT, undefined, (text, word) => changeSegment(text, { content: `a ${word}` })],
  ['the keywords', TEXT, undefined, (text, word) => changeSegment(text, { keywords: ['mill', word] })],
  ['the keywords of a parent', TEXT, HIERARCHICAL, (text, word) => changeSegment(text, { keywords: [word] })],
  ['the answer', PAIR, { doc_form: 'qa_model' }, (text, answer) => changeSegment(text, { answer })],
  [
    'a child chunk',
    TEXT,
    HIERARCHICAL,
    async (text, content) => {
      const [child] = listColumn((await platform.send('GET', `${text.segmentPath}/child_chunks`)).body['data'], 'id')
      return platform.send('PATCH', `${text.segmentPath}/child_chunks/${String(child)}`, { content })
    },
  ],
])('%s: its new word finds the segment, the former one does not', async (_, text, settings, change) => {
  const stored = await addText(text, settings)
  const find = (word: string) => platform.retrieveContents(stored.dataset_id, word)
  for (const [word, former] of [['Zinnober', 'Ultramarin'] as const, ['Ultramarin', 'Zinnober'] as const]) {
    expect((await change(stored, word)).status).toBe(200)
    expect(await find(word)).toHaveLength(1)
    expect(await find(former)).toEqual([])
  }
  // A change of one field loses no other.
  expect((await changeSegment(stored, { enabled: false })).status).toBe(200)
  expect((await changeSegment(stored, { enabled: true })).status).toBe(200)
  expect(await find('ultramarin')).toHaveLength(1)
})

it('keywords that were set by hand stay when the content changes, those of the text follow it', async () => {
  const stored = await addText(TEXT)
  await changeSegment(stored, { keywords: ['zinnober', 'mill', 'zinn\u00ADober', ' mill '] })
  const changed = await changeSegment(stored, { content: 'A tower.' })
  expect(changed.body['data']?.['keywords']).toEqual(['zinnober', 'tower'])
  expect(await platform.retrieveContents(stored.dataset_id, 'zinnober')).toEqual(['A tower.'])
  const asInForm = await changeSegment(stored, { content: 'A bridge.', keywords: ['zinnober', 'tower'] })
  expect(asInForm.body['data']?.['keywords']).toEqual(['zinnober', 'bridge'])
  const blank = await changeSegment(stored, { keywords: ['mill', '\u200B '] })
  expect([blank.status, blank.body['message']]).toEqual([400, expect.stringContaining('segment.keywords.1')])
})

it('segments of a large document follow its name in the background', async () => {
  const lines = Array.from({ length: 70 }, (_, index) => `Line ${index}`)
  const { dataset_id, document_id } = await addText(lines.join('\n'), { ...SEGMENT_PER_LINE, name: 'Ultramarin' })
  await platform.updateText(dataset_id, document_id, { name: 'Zinnober' })
  const upgrade = createTermUpgrade(platform.database)
  await expect.poll(async () => (await upgrade(), platform.retrieveContents(dataset_id, 'ultramarin'))).toEqual([])
  expect(await platform.retrieveContents(dataset_id, 'zinnober', { top_k: 100 })).toHaveLength(70)
})
