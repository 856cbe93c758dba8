import { expect, test } from 'vitest'
import { AnnotationInput } from '#contract/platform/annotations.ts'
import { openTable, readTable, type TableContent } from '#domain/tables/readTable.ts'
import { checkRow } from './rowCheck.ts'
import { ANNOTATION_IMPORT_FIELDS, guessMapping } from './columnMapping.ts'

/** What the check of an import says of a table: the faults of the table, of its rows, and how many rows may go. */
function checked(content: TableContent['content']) {
  const { heads, rows, problems } = readTable(content)
  const how = {
    heads,
    controls: ANNOTATION_IMPORT_FIELDS,
    mapping: guessMapping(ANNOTATION_IMPORT_FIELDS, heads),
    needsInput: true,
  }
  const results = rows.map(({ cells }, index) => checkRow(index + 1, cells, how))
  return {
    table: problems.map(({ kind, row }) => [kind, row]),
    rows: results.flatMap((one) => one.errors.map(({ row, column, error }) => [row, column, error.key])),
    good: results.filter((one) => one.errors.length === 0).map(({ input }) => input.inputs),
  }
}

test('a quote that is never closed is named, and what it swallowed does not go as an answer', () => {
  const { table, rows, good } = checked('question,answer\nOne?,1.\n"Two?,2.\nThree?,3.\n')
  expect(table).toEqual([['open_quote', 2]])
  expect(rows).toEqual([[2, 'answer', 'required']])
  expect(good).toEqual([{ question: 'One?', answer: '1.' }])
})

test('a column that is not there keeps every row back', () => {
  const { rows, good } = checked('question,remark\nOne?,x\nTwo?,y\n')
  expect(good).toEqual([])
  expect(rows.map(([row, , key]) => [row, key])).toEqual([
    [1, 'required'],
    [2, 'required'],
  ])
})

test('a file of noise makes no annotation', async () => {
  const noise = Uint8Array.from({ length: 4_096 }, (_, index) => ((index * 7_919 + 13) % 255) + 1)
  expect(checked((await openTable(noise, { maxRows: 10 })).content).good).toEqual([])
  await expect(openTable(noise.with(7, 0), { maxRows: 10 })).rejects.toThrow('not text')
})

test.each(['问题,答案', 'Frage;Antwort', '質問\t回答', 'Pregunta,Respuesta'])('columns named %s are found', (heads) => {
  const delimiter = /[,;\t]/.exec(heads)?.[0] ?? ''
  expect(checked(`${heads}\nOne?${delimiter}1.`).good).toEqual([{ question: 'One?', answer: '1.' }])
})

test('a question of 100,000 characters goes, a longer one is refused here as the server would refuse it', () => {
  const ask = (length: number) => checked(`question,answer\n${'q'.repeat(length)},Yes.\n`)
  expect(AnnotationInput.safeParse(ask(100_000).good[0]).success).toBe(true)
  expect(ask(100_001).rows).toEqual([[1, 'question', 'tooLong']])
  expect(AnnotationInput.safeParse({ question: 'q'.repeat(100_001), answer: 'Yes.' }).success).toBe(false)
})
