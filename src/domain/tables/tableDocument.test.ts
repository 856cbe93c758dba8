import { describe, expect, it } from 'vitest'
import { ReadingLosses } from '../documentReading/readingLoss.ts'
import { type SpreadsheetCell, writeXlsx } from '../spreadsheet/xlsxWriter.ts'
import { readTableText, readWorkbookText } from './tableDocument.ts'
import { readStoredTables, toReadableLines } from './tableText.ts'

async function write(rows: readonly (readonly SpreadsheetCell[])[]): Promise<Uint8Array> {
  async function* table() {
    for (const row of rows) yield await Promise.resolve(row)
  }
  const parts: Uint8Array[] = []
  for await (const part of writeXlsx(table())) parts.push(part)
  return new Uint8Array(Buffer.concat(parts))
}
const toList = ({ list }: ReadingLosses) => list.map(({ kind, count, places }) => [kind, count, places?.numbers])

describe('a table as a document', () => {
  it.each([
    ['nothing lost', 'a,b\n1,2\n', []],
    ['cells beyond the head', 'a,b\n1,2,3\n4,5,6\n', [['unnamed_cell', 2, [2, 3]]]],
    ['a head alone', 'a,b\n', [['head_without_rows', 1, undefined]]],
  ])('tells what has no name: %s', (_, text, expected) => {
    const losses = new ReadingLosses()
    expect(readTableText(text, losses)).toBe(text)
    expect(toList(losses)).toEqual(expected)
  })

  it.each([
    ['Item,Note\nPipe,"wide and red\nBolt,blue\n', 'Row 1 of the table, in line 2: A quote is not closed'],
    ['a,b\n"x\ny",z\n1,"hi" she said\n2,3\n', 'Row 2 of the table, in line 4: Text follows a closing quote'],
  ])('is refused with the row where its quotes are wrong: %j', (text, message) => {
    expect(() => readTableText(text, new ReadingLosses())).toThrow(message)
  })
})

it('a workbook is read row by row, whatever its cells hold', async () => {
  const rows = [
    ['Product', 'Price', 'sep=;'],
    ['Kettle "K"', '19,90', 'line\nline'],
    ['Toaster; two', 29.5, null, 'unnamed'],
  ]
  const losses = new ReadingLosses()
  const text = readWorkbookText(await write(rows), losses)
  expect(readStoredTables(text, 'xlsx').map(toReadableLines)).toEqual([
    'Product: Kettle "K"; Price: 19,90; sep=;: line line\nProduct: Toaster; two; Price: 29.5; sep=;: ; column 4: unnamed',
  ])
  expect(toList(losses)).toEqual([['unnamed_cell', 1, [3]]])
})
