import fc from 'fast-check'
import papaparse from 'papaparse'
import { toCsvLine, parseCsvCell } from '#domain/csv.ts'
import { ExportColumns } from '../../server/batches/exportColumns.ts'
import { openBrowserModules } from './browserModules.ts'
import { createTarget, fromSamples, requireThat, type FuzzTarget } from './target.ts'
import type * as readTableModule from '#domain/tables/readTable.ts'

const textArbitrary = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 16 }),
  fromSamples('=1+1¦+A1¦-2¦@x¦\t=¦\r=¦"¦""¦,¦\n¦\r\n¦ =x¦＝¦\0¦1;2¦{"a":1}'),
)

const isNumber = (cell: string): boolean => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell)

/** What is written is read back to the letter and holds no formula; any bytes are read as some table. */
export async function createCsvTarget(): Promise<FuzzTarget> {
  const { load, close } = await openBrowserModules()
  const { openTable, readTable } = (await load('/src/domain/tables/readTable.ts')) as typeof readTableModule
  return createTarget(
    fc.tuple(
      fc.array(textArbitrary, { minLength: 2, maxLength: 6 }),
      fc.dictionary(textArbitrary, fc.jsonValue()),
      fc.uint8Array({ maxLength: 200 }),
    ),
    async ([cells, outputs, bytes]: [string[], Record<string, unknown>, Uint8Array]) => {
      const [back] = papaparse.parse<string[]>(toCsvLine(cells).slice(0, -2), { delimiter: ',', newline: '\r\n' }).data
      for (const [index, cell] of cells.entries()) {
        const read = back?.[index] ?? ''
        requireThat(parseCsvCell(read) === cell, `${JSON.stringify(cell)} is read as ${JSON.stringify(read)}.`)
        requireThat(
          isNumber(read) || !/^\s*[=+\-@＝＋－＠]|^[\t\r\n]|;[\s"]*[=+\-@＝＋－＠]/.test(read),
          `${JSON.stringify(read)} would be run as a formula.`,
        )
      }
      const columns = new ExportColumns()
      const row = { inputs: {}, beside: {}, outputs }
      columns.add(row)
      requireThat(columns.toCells(row).length === columns.headers.length, 'A row has another width than its head.')
      const { content } = await openTable(bytes, { maxRows: 10 }).catch(() => ({ content: '' }))
      for (const source of [content, cells.join('')]) {
        const { heads, rows } = readTable(source)
        requireThat(new Set(heads).size === heads.length, 'A head is there twice.')
        requireThat(
          rows.every((row) => row.line > 0),
          'A row has no line.',
        )
      }
    },
    close,
  )
}
