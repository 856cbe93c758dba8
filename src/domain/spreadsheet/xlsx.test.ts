import fc from 'fast-check'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { UnreadableFileError } from '../documentReading/unreadableFile.ts'
import { openWorkbook, XLSX_READ_LIMITS } from './xlsxReader.ts'
import { type SpreadsheetCell, writeXlsx, XLSX_LIMITS } from './xlsxWriter.ts'

async function write(rows: readonly (readonly SpreadsheetCell[])[]): Promise<Uint8Array> {
  async function* table() {
    for (const row of rows) yield await Promise.resolve(row)
  }
  const parts: Uint8Array[] = []
  for await (const part of writeXlsx(table())) parts.push(part)
  return new Uint8Array(Buffer.concat(parts))
}
const open = (bytes: Uint8Array, limits: Partial<typeof XLSX_READ_LIMITS> = {}, maxRows = 100_000) =>
  openWorkbook(bytes, { maxRows, limits: { ...XLSX_READ_LIMITS, ...limits } })
function read(bytes: Uint8Array, limits: Partial<typeof XLSX_READ_LIMITS> = {}, maxRows = 100_000) {
  const { rows, ...sheet } = open(bytes, limits, maxRows).read()
  return { ...sheet, rows: rows.map(({ cells }) => cells) }
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
/** A workbook as programs write it, with its own sheet data, shared strings and styles. */
function makeWorkbook({
  sheet,
  strings = '',
  styles = '',
  sheets = '<sheet name="First" sheetId="1" r:id="rId1"/>',
  head = '',
  settings = '',
}: Record<string, string>): Uint8Array {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  const xml = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${head}${text}`)
  return zipSync({
    '_rels/.rels': xml(`<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${MAIN}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${settings}<sheets>${sheets}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships>${relation('rId1', 'worksheet', '/xl/worksheets/sheet1.xml')}${relation('rId2', 'sharedStrings', 'sharedStrings.xml')}${relation('rId3', 'styles', 'styles.xml')}</Relationships>`,
    ),
    'xl/sharedStrings.xml': xml(`<sst xmlns="${MAIN}">${strings}</sst>`),
    'xl/styles.xml': xml(`<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`),
    'xl/worksheets/sheet1.xml': xml(`<worksheet xmlns="${MAIN}"><sheetData>${sheet ?? ''}</sheetData></worksheet>`),
  })
}

describe('a workbook', () => {
  it('is read as it was written, whatever its texts hold', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        async (rows) => {
          // XML reads the two kinds of line ends as one.
          const wellFormed = rows.map((row) => row.map((one) => one.toWellFormed()))
          expect(read(await write(rows)).rows).toEqual(wellFormed)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('has numbers and booleans, and no formula: what looks like one is a text that stays one', async () => {
    const bytes = await write([['=1+1', 7, true, null, 0.1, ' +x', '＝A1', 'a=b']])
    expect(read(bytes).rows).toEqual([['=1+1', '7', 'true', '', '0.1', ' +x', '＝A1', 'a=b']])
    const sheet = Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? []).toString()
    expect(sheet).not.toContain('<f>')
    expect(sheet.match(/ s="1"/g)).toHaveLength(3)
    expect(read(bytes).formulas.count).toBe(0)
  })

  it('says where a text is longer than a cell', async () => {
    const [[cell]] = read(await write([['x'.repeat(40_000)]])).rows as [[string]]
    expect(cell).toHaveLength(XLSX_LIMITS.cellChars)
    expect(cell.endsWith('… [cut: a cell holds no more]')).toBe(true)
  })

  it('of a spreadsheet program: shared and rich texts, gaps, dates, saved results of formulas, errors', () => {
    const bytes = makeWorkbook({
      strings:
        '<si><t>city</t></si><si><r><t>Ro</t></r><r><t xml:space="preserve">me </t></r><rPh sb="0" eb="1"><t>x</t></rPh></si><si><t>&#128512; _x005F_x0041_</t></si>',
      styles:
        '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>',
      sheet:
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>note</t></is></c></row>' +
        '<row r="3"><c r="A3" s="2"/></row>' +
        '<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4" s="1"><v>46349</v></c><c r="C4" s="2"><v>46349.75</v></c><c r="D4" s="3"><v>1.5</v></c><c r="E4" s="4"><v>0.5</v></c></row>' +
        '<row r="5"><c r="A5"><f>1+1</f><v>2</v></c><c r="B5" t="str"><f>WEBSERVICE("http://127.0.0.1/")</f></c><c r="C5" t="e"><v>#N/A</v></c><c r="D5" t="b"><v>1</v></c><c r="E5"><v>0.30000000000000004</v></c></row>' +
        '<row r="6"><c r="A6" t="s"><v>2</v></c><c t="s"><v>99</v></c></row>',
    })
    const { rows, formulas, sheet } = read(bytes)
    expect(sheet).toBe('First')
    expect(rows).toEqual([
      ['city', '', 'note'],
      ['Rome ', '2026-11-23', '2026-11-23 18:00:00', '1.5', '12:00:00'],
      ['2', '', '#N/A', 'true', '0.3'],
      ['😀 _x0041_'],
    ])
    expect(formulas).toEqual({ count: 2, withoutResult: 1 })
  })

  it.each([
    ['<c><v>12345678901234567890</v></c>', '12345678901234567890'],
    ['<c><v>-1234567890123456</v></c>', '-1234567890123456'],
    ['<c><v>19.899999999999999</v></c>', '19.9'],
    ['<c><v>1.2E-7</v></c>', '1.2e-7'],
    ['<c s="1"><v>44887</v></c>', '2026-11-23'],
  ])('keeps digits, and dates that count from 1904: %s', (cell, text) => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    const settings = '<workbookPr date1904="1"/>'
    expect(read(makeWorkbook({ sheet: `<row>${cell}</row>`, styles, settings })).rows).toEqual([[text]])
  })

  it('with several sheets gives the chosen one, and no hidden one', () => {
    const sheets =
      '<sheet name="Hidden" sheetId="1" state="hidden" r:id="rId9"/><sheet name="A" sheetId="2" r:id="rId1"/><sheet name="B" sheetId="3" r:id="rId1"/>'
    const bytes = makeWorkbook({ sheets, sheet: '<row><c><v>1</v></c></row>' })
    const workbook = open(bytes)
    expect(workbook).toMatchObject({ sheets: ['A', 'B'], hiddenSheets: 1 })
    expect([workbook.read().sheet, workbook.read('B').sheet]).toEqual(['A', 'B'])
  })
})

describe('a hostile file', () => {
  const cells = (count: number) => `<row>${'<c><v>1</v></c>'.repeat(count)}</row>`
  const errorOf = (bytes: Uint8Array, limits: Partial<typeof XLSX_READ_LIMITS> = {}): string => {
    try {
      read(bytes, limits)
      return 'was read'
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableFileError)
      return (error as Error).message
    }
  }

  it('that unpacks to more than the limit is refused before it is unpacked, also where it states a smaller size', () => {
    const bomb = zipSync({ 'xl/workbook.xml': new Uint8Array(50_000_000) }, { level: 9 })
    expect(bomb.length).toBeLessThan(60_000)
    expect(errorOf(bomb, { unpackedBytes: 1_000_000 })).toContain('The unpacked file is too large')
    const lying = bomb.slice()
    const view = new DataView(lying.buffer)
    // The size after decompression in the central directory.
    const directory = view.getUint32(lying.length - 22 + 16, true)
    view.setUint32(directory + 24, 1000, true)
    expect(errorOf(lying, { unpackedBytes: 1_000_000 })).toMatch(/damaged|not an XLSX/)
  })

  it('has a limit of entries, columns, cells, characters and bytes', () => {
    const many = zipSync(
      Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`${index}.xml`, strToU8('x')])),
    )
    expect(errorOf(many)).toContain('entries')
    expect(errorOf(makeWorkbook({ sheet: '<row><c r="XFD1"><v>1</v></c></row>' }))).toContain('columns')
    expect(errorOf(makeWorkbook({ sheet: cells(20).repeat(20) }), { cells: 300 })).toContain('cells')
    const wide = '<row><c r="ALL1"><v>1</v></c></row>'
    expect(errorOf(makeWorkbook({ sheet: wide.repeat(20) }), { cells: 10_000 })).toContain('more than 10000 cells')
    const shared = {
      sheet: '<row><c t="s"><v>0</v></c></row>'.repeat(50),
      strings: `<si><t>${'x'.repeat(500)}</t></si>`,
    }
    expect(errorOf(makeWorkbook(shared), { chars: 20_000 })).toContain('more than 20000 characters')
    const text = `<row><c t="inlineStr"><is><t>${'x'.repeat(500)}</t></is></c></row>`
    expect(errorOf(makeWorkbook({ sheet: text }), { cellChars: 400 })).toContain('characters')
    expect(errorOf(makeWorkbook({ strings: `<si><t>${'x'.repeat(500)}</t></si>` }), { cellChars: 400 })).toContain(
      'characters',
    )
    expect(errorOf(makeWorkbook({}), { fileBytes: 100 })).toContain('larger than')
  })

  it('is not read beyond the rows that a batch may have', () => {
    const bytes = makeWorkbook({ sheet: cells(1).repeat(50) })
    expect(read(bytes, {}, 10).rows).toHaveLength(12)
  })

  it('with a document type, its entities, or broken XML is refused', () => {
    const head = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    expect(errorOf(makeWorkbook({ head }))).toContain('document type')
    expect(errorOf(makeWorkbook({ sheet: '<row><c>' }))).toContain('damaged')
    expect(errorOf(strToU8('PK\u0003\u0004 nothing'))).toMatch(/damaged|not an XLSX/)
    expect(errorOf(zipSync({ 'a.txt': strToU8('text') }))).toContain('not an XLSX')
  })
})
