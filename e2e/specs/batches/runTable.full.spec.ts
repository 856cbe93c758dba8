import type { Page } from '@playwright/test'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'

test('a chat answers a workbook of conversations, and its results come back as a workbook', async ({
  signedInPage,
  loupe,
}) => {
  await signedInPage.goto(`${loupe.url}/batches/new`)
  const app = signedInPage.getByRole('combobox', { name: 'App' })
  await app.selectOption({ index: 0 })
  await chooseFile(
    signedInPage,
    'conversations.xlsx',
    toWorkbook([
      ['id', 'turn 1', 'turn 2'],
      [7, 'Which lamps are there?', 'And how long do they last?'],
      [8, '=Where is the warranty?', null],
    ]),
  )
  await expect(signedInPage.getByText('2 rows, 3 columns, Excel workbook.')).toBeVisible()
  await expect(signedInPage.getByRole('combobox', { name: 'Column for Question 1' })).toHaveValue('1')
  await expect(signedInPage.getByRole('combobox', { name: 'Column for Question 2' })).toHaveValue('2')
  await expectAccessible(signedInPage)
  await signedInPage.getByRole('button', { name: 'Run all 2 rows' }).click()
  await expect(signedInPage.getByRole('button', { name: /^succeeded 2$/ })).toBeVisible()
  const rows = rowsTable(signedInPage)
  await expect(rows.getByRole('row', { name: /Which lamps are there/ })).toContainText('2 turns')
  const exported = await signedInPage.request.get(`${toApiUrl(signedInPage.url())}/export?format=xlsx`)
  expect(exported.headers()['content-type']).toContain('spreadsheetml.sheet')
  const sheet = strFromU8(
    unzipSync(new Uint8Array(await exported.body()))['xl/worksheets/sheet1.xml'] ?? new Uint8Array(),
  )
  expect(sheet).not.toContain('<f>')
  expect(sheet).toContain('And how long do they last?')
  expect(sheet.match(/<row>/g)).toHaveLength(3)
  expect(sheet).toContain('answer_2')
  await signedInPage.setViewportSize({ width: 390, height: 844 })
  await expect(rows.getByRole('row', { name: /Which lamps are there/ })).toBeVisible()
  expect(await signedInPage.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await rows.getByRole('link', { name: 'Open turn 1 of row 1' }).click()
  await expect(signedInPage).toHaveURL(/\/runs\//)
  await expect(signedInPage.getByText('Which lamps are there?').first()).toBeVisible()
})

/** A workbook as a spreadsheet program writes it: shared strings, and a style for nothing. */
function toWorkbook(rows: (string | number | null)[][]): Buffer {
  const texts = rows.flat().filter((cell) => typeof cell === 'string')
  const toCell = (cell: string | number | null) =>
    typeof cell === 'string'
      ? `<c t="s"><v>${texts.indexOf(cell)}</v></c>`
      : `<c>${cell === null ? '' : `<v>${cell}</v>`}</c>`
  const files = {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Tests" sheetId="1" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Type="x/worksheet" Target="s.xml"/><Relationship Id="b" Type="x/sharedStrings" Target="t.xml"/></Relationships>',
    'xl/t.xml': `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/s.xml': `<worksheet><sheetData>${rows.map((row) => `<row>${row.map(toCell).join('')}</row>`).join('')}</sheetData></worksheet>`,
  }
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, xml]) => [path, strToU8(xml)]))))
}

const rowsTable = (page: Page) => page.getByRole('table', { name: 'Rows' })

const chooseFile = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer })

const toApiUrl = (page_url: string): string => {
  const { origin, pathname } = new URL(page_url)
  return `${origin}/api${pathname}`
}
