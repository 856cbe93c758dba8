import { expect, test } from 'vitest'
import { AnnotationInput } from '#contract/platform/annotations.ts'
import { checkRow } from '../tableImport/rowCheck.ts'
import { decodeTable } from '../tableImport/tableDecoding.ts'
import { guessMapping } from '../tableImport/columnMapping.ts'
import { parseTable } from '../tableImport/tableParser.ts'
import { ANNOTATION_IMPORT_FIELDS } from './annotationImportFields.ts'

/** What the check of an import says of a table: the faults of the table, of its rows, and how many rows may go. */
function checked(text: string) {
  const { headers, rows, errors } = parseTable(text)
  const how = {
    heads: headers,
    controls: ANNOTATION_IMPORT_FIELDS,
    mapping: guessMapping(ANNOTATION_IMPORT_FIELDS, headers),
    needsInput: true,
  }
  const results = rows.map((cells, index) => checkRow(index + 1, cells, how))
  return {
    table: errors.map(({ key, row }) => [key, row]),
    rows: results.flatMap((one) => one.errors.map(({ row, column, error }) => [row, column, error.key])),
    good: results.filter((one) => one.errors.length === 0).map(({ input }) => input.inputs),
  }
}

test('a quote that is never closed is named, and what it swallowed does not go as an answer', () => {
  const { table, rows, good } = checked('question,answer\nOne?,1.\n"Two?,2.\nThree?,3.\n')
  expect(table).toEqual([['openQuote', 2]])
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

test('bytes of another encoding are never taken for UTF-8, and a file of noise makes no annotation', () => {
  // "café?" in Latin-1: no UTF-8, so it is read as GB18030, which the screen names and lets a person change.
  const latin = new Uint8Array([...new TextEncoder().encode('question,answer\ncaf'), 0xe9, 0x3f, 0x2c, 0x31, 0x0a])
  expect(decodeTable(latin, null)).toMatchObject({ encoding: 'gb18030' })
  expect(decodeTable(latin, 'utf-8').text).toContain('caf\uFFFD?')
  const noise = Uint8Array.from({ length: 4_096 }, (_, index) => (index * 7_919 + 13) % 256)
  expect(checked(decodeTable(noise, null).text).good).toEqual([])
})

test('a question of 100,000 characters goes, a longer one is refused here as the server would refuse it', () => {
  const ask = (length: number) => checked(`question,answer\n${'q'.repeat(length)},Yes.\n`)
  expect(AnnotationInput.safeParse(ask(100_000).good[0]).success).toBe(true)
  expect(ask(100_001).rows).toEqual([[1, 'question', 'tooLong']])
  expect(AnnotationInput.safeParse({ question: 'q'.repeat(100_001), answer: 'Yes.' }).success).toBe(false)
})
