import fc from 'fast-check'
import papaparse from 'papaparse'
import { csvLine, readCell } from '#contract/csv.ts'
import { Columns } from '../../server/batches/columns.ts'
import { openSources } from './sources.ts'
import { demand, target, type Target } from './target.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 16 }),
  fc.constantFrom(
    '=1+1',
    '+A1',
    '-2',
    '@x',
    '\t=',
    '\r=',
    '"',
    '""',
    ',',
    '\n',
    '\r\n',
    ' =x',
    '＝',
    '\0',
    '1;2',
    '{"a":1}',
  ),
)
interface Reader {
  parseTable: (text: string) => { heads: string[]; rows: string[][] }
  parseJsonl: (text: string) => { heads: string[]; rows: string[][] }
  decode: (bytes: Uint8Array, wish: null) => { text: string }
}

/** What is written is read back to the letter and holds no formula; any bytes are read as some table. */
export async function csv(): Promise<Target> {
  const { load, close } = await openSources()
  const table = '/src/run/table'
  const reader = Object.assign(
    {},
    ...(await Promise.all(['parse', 'jsonl', 'decode'].map((name) => load(`${table}/${name}.ts`)))),
  ) as Reader
  return target(
    fc.tuple(
      fc.array(text, { minLength: 2, maxLength: 6 }),
      fc.dictionary(text, fc.jsonValue()),
      fc.uint8Array({ maxLength: 200 }),
    ),
    ([cells, outputs, bytes]: [string[], Record<string, unknown>, Uint8Array]) => {
      const [back] = papaparse.parse<string[]>(csvLine(cells).slice(0, -2), { delimiter: ',', newline: '\r\n' }).data
      for (const [index, cell] of cells.entries()) {
        const read = back?.[index] ?? ''
        demand(readCell(read) === cell, `${JSON.stringify(cell)} is read as ${JSON.stringify(read)}.`)
        demand(
          !/^\s*[=+\-@＝＋－＠]|^[\t\r\n]|;[\s\"]*[=+\-@＝＋－＠]/.test(read),
          `${JSON.stringify(read)} would be run as a formula.`,
        )
      }
      const columns = new Columns()
      const row = { inputs: {}, beside: {}, outputs }
      columns.add(row)
      demand(columns.cells(row).length === columns.heads.length, 'A row has another width than its head.')
      const { text: decoded } = reader.decode(bytes, null)
      for (const source of [decoded, cells.join('')]) {
        const { heads, rows } = reader.parseTable(source)
        demand(new Set(heads).size === heads.length, 'A head is there twice.')
        demand(
          rows.every((one) => Array.isArray(one)),
          'A row is none.',
        )
        reader.parseJsonl(source)
      }
    },
    close,
  )
}
