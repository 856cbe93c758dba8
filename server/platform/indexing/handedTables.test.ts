import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AUTOMATIC_RULE, type DocumentFormKind } from '#domain/chunking/chunkingPlan.ts'
import { openTable, readTable } from '#domain/tables/readTable.ts'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { chunkDocument } from './chunkDocument.ts'
import { extractText } from './extractText.ts'

const FOLDER = 'real-inputs'
const readBytes = (path: string) => readFileSync(join(SHARED_DATA, FOLDER, path))

/** The contents of the segments and the kinds of losses. */
async function index(path: string, form: DocumentFormKind = 'text_model') {
  const { text, losses } = await extractText({ name: path, bytes: readBytes(path) })
  const extension = path.split('.').at(-1) ?? ''
  const job = { text, extension, rule: AUTOMATIC_RULE, form, passageContext: { dataset_id: 'd', title: 't' } }
  const contents: string[] = []
  const kinds = losses.map(({ kind }) => kind)
  for (const stage of chunkDocument(job)) {
    if (stage.stage === 'cleaned') kinds.push(...stage.losses.map(({ kind }) => kind))
    if (stage.stage === 'made')
      contents.push(
        ...stage.segments.map(({ content, answer }) => (answer === null ? content : `${content} => ${answer}`)),
      )
  }
  return [contents, kinds]
}

describeWith(requirements.sharedData(FOLDER))('the handed tables and texts', () => {
  it.each<[string, DocumentFormKind, string[], string[]]>([
    ['knowledge/gbk.txt', 'text_model', ['请假制度：员工请假须提前三天申请。\n年假为十五天。'], []],
    ['knowledge/utf16le-bom.txt', 'text_model', ['Vacation policy: ask three days before.'], []],
    [
      'knowledge/sep.csv',
      'text_model',
      ['Product: Kettle; Price: 19,90; Note: steel', 'Product: Toaster; Price: 29,50; Note: two slots'],
      [],
    ],
    [
      'knowledge/faq.xlsx',
      'text_model',
      ['question: Is the desk open on Sunday?; answer: No, from Monday on.; since: 2024-03-01'],
      [],
    ],
    ['knowledge/faq.xlsx', 'qa_model', ['Is the desk open on Sunday? => No, from Monday on.'], ['extra_cell']],
    [
      'knowledge/qa-three.csv',
      'qa_model',
      ['How do I reset it? => Hold the button.'],
      ['extra_cell', 'row_without_answer'],
    ],
    [
      'knowledge/qa-markers.csv',
      'qa_model',
      [
        'How do I file a ticket? => Write it so:\nQ: what is broken\nA: what you tried',
        'Who answers tickets? => The night desk.',
        'How fast? => Within two hours.',
      ],
      [],
    ],
  ])('%s as %s is read completely', async (path, form, contents, kinds) =>
    expect(await index(path, form)).toEqual([contents, kinds]),
  )

  it('a quote that never closes is refused with its row', async () => {
    await expect(index('knowledge/unclosed.csv')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Row 1 of the table, in line 2') as string,
    })
  })

  it.each([
    ['console/S16/ansi.csv', ['Frage', 'Größe'], ['Wie groß ist München?', '80 €']],
    ['console/S16/ansi-en.csv', ['question'], ['What’s the price – 5 €?']],
    ['console/S17/sep.csv', ['query', 'note'], ['hello', '1']],
    ['console/S17b/onecolumn.csv', ['question'], ['foo; bar; baz']],
  ])('%s is imported without a fault', async (path, heads, cells) => {
    const table = readTable((await openTable(readBytes(path), { maxRows: 10 })).content)
    expect([table.heads, table.rows[0]?.cells, table.problems]).toEqual([heads, cells, []])
  })
})
