import { strToU8, Zip, ZipDeflate } from 'fflate'

export type SpreadsheetCell = string | number | boolean | null | undefined

/** Limits of spreadsheet programs. */
export const XLSX_LIMITS = { rows: 1_048_576, columns: 16_384, cellChars: 32_767 }
/** Ends a text that does not fit into a cell. */
const CUT_MARK = '… [cut: a cell holds no more]'
const CHUNK_CHARS = 64 * 1024
/** The styles of the workbook below: 1 marks a text that would become a formula once it is edited. */
const QUOTED_STYLE = 1
const FORMULA_START = /^[\s"']*[=+\-@＝＋－＠]/

/**
 * The file parts of a workbook with one sheet. Texts are stored as texts, so no program evaluates them; a text that
 * looks like a formula is marked so that it stays a text when its cell is edited.
 */
export async function* writeXlsx(table: AsyncIterable<readonly SpreadsheetCell[]>): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = []
  const zip = new Zip((error, data) => {
    if (error) throw error
    parts.push(data)
  })
  for (const [path, text] of Object.entries(WORKBOOK_FILES)) {
    const file = new ZipDeflate(path)
    zip.add(file)
    file.push(strToU8(XML_HEAD + text), true)
  }
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 6 })
  zip.add(sheet)
  let xml = `${XML_HEAD}<worksheet xmlns="${MAIN_NAMESPACE}"><sheetData>`
  let rows = 0
  for await (const cells of table) {
    if (++rows > XLSX_LIMITS.rows) break
    xml += `<row>${cells.slice(0, XLSX_LIMITS.columns).map(toCellXml).join('')}</row>`
    if (xml.length < CHUNK_CHARS) continue
    sheet.push(strToU8(xml))
    xml = ''
    yield* parts.splice(0)
  }
  sheet.push(strToU8(`${xml}</sheetData></worksheet>`), true)
  zip.end()
  yield* parts
}

function toCellXml(cell: SpreadsheetCell): string {
  if (cell === null || cell === undefined || cell === '') return '<c/>'
  if (typeof cell === 'boolean') return `<c t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c><v>${cell}</v></c>`
  const text = String(cell)
  const style = FORMULA_START.test(text) ? ` s="${QUOTED_STYLE}"` : ''
  return `<c t="inlineStr"${style}><is><t xml:space="preserve">${escapeXml(cutText(text))}</t></is></c>`
}

const cutText = (text: string): string =>
  text.length <= XLSX_LIMITS.cellChars ? text : text.slice(0, XLSX_LIMITS.cellChars - CUT_MARK.length) + CUT_MARK

/** Characters that XML cannot hold are written as `_xHHHH_`, and so is a text that looks like that. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      /[\0-\x08\x0b-\x1f\ufffe\uffff]/g,
      (char) => `_x${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    )
    .replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)

const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE_RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE_RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const WORKBOOK_FILES: Record<string, string> = {
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT_TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT_TYPE}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT_TYPE}.styles+xml"/></Types>`,
  '_rels/.rels':
    `<Relationships xmlns="${PACKAGE_RELATIONSHIPS}">` +
    `<Relationship Id="rId1" Type="${OFFICE_RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml':
    `<workbook xmlns="${MAIN_NAMESPACE}" xmlns:r="${OFFICE_RELATIONSHIPS}">` +
    '<sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${PACKAGE_RELATIONSHIPS}">` +
    `<Relationship Id="rId1" Type="${OFFICE_RELATIONSHIPS}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${OFFICE_RELATIONSHIPS}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml':
    `<styleSheet xmlns="${MAIN_NAMESPACE}"><fonts count="1"><font/></fonts>` +
    '<fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders>' +
    '<cellStyleXfs count="1"><xf/></cellStyleXfs>' +
    '<cellXfs count="2"><xf xfId="0"/><xf xfId="0" quotePrefix="1"/></cellXfs></styleSheet>',
}
