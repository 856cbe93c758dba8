import type { Page } from '@playwright/test'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

const tableRows = Array.from({ length: 12 }, (_, index) => {
  const list = index === 4 ? 'perhaps' : 'no'
  return `"Lamp ${index + 1} lasts 2,000 hours. Then it is changed.",short,${list},=id${index + 1}`
})

const CSV_TABLE = ['text,length,list,id', ...tableRows].join('\n')

test('a table is checked, tried on three rows, run to its end while nobody looks, and exported', async ({
  signedInPage,
  loupe,
}) => {
  await signedInPage.goto(`${loupe.url}/completion`)
  await signedInPage.getByRole('link', { name: 'Batch', exact: true }).click()
  await expect(signedInPage.getByRole('heading', { name: 'New batch' })).toBeVisible()
  await chooseFile(signedInPage, 'lamps.csv', Buffer.from(`\uFEFF${CSV_TABLE}`, 'utf16le'))
  await expect(signedInPage.getByText('12 rows, 4 columns, commas.')).toBeVisible()
  await expect(signedInPage.getByRole('combobox', { name: 'Encoding' })).toHaveValue('utf-16le')
  await expect(signedInPage.getByRole('combobox', { name: 'Column for Text' })).toHaveValue('0')
  await expect(signedInPage.getByText('12 cells begin with =, the first in row 1, “id”.')).toBeVisible()
  await expect(signedInPage.getByRole('list', { name: '1 problem' })).toContainText('Row 5column “list”')
  await expect(signedInPage.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()
  await expect(signedInPage.getByText('Rows with problems must be fixed or skipped. See Check.')).toBeVisible()
  await signedInPage.getByRole('checkbox', { name: 'Skip these rows' }).check()
  await expectAccessible(signedInPage)

  await signedInPage.getByRole('button', { name: 'Dry run of 3 rows' }).click()
  await expect(signedInPage.getByText('The dry run is complete. The other rows have not been sent.')).toBeVisible()
  await expect(signedInPage.getByText('Estimate for the remaining 8 rows')).toContainText('tokens')
  await expect(rowsTable(signedInPage).getByText('waiting').first()).toBeVisible()
  await expect(signedInPage.getByRole('button', { name: /^succeeded 3$/ })).toBeVisible()
  const batch = signedInPage.url()
  await signedInPage.getByRole('button', { name: 'Run remaining rows' }).click()
  await expect(signedInPage.getByRole('button', { name: 'Run remaining rows' })).toBeHidden()
  await signedInPage.goto(`${loupe.url}/runs`)
  await expect.poll(() => getBatchState(signedInPage, batch)).toBe('ended')

  await signedInPage.goto(`${loupe.url}/batches`)
  await signedInPage.getByRole('link', { name: 'lamps.csv' }).first().click()
  await expect(signedInPage.getByRole('button', { name: /^succeeded 11$/ })).toBeVisible()
  await expect(rowsTable(signedInPage).getByRole('row', { name: /Lamp 12 lasts/ })).toBeVisible()
  await expectAccessible(signedInPage)
  const exported = await signedInPage.request.get(`${toApiUrl(batch)}/export?format=csv`)
  const [head, first, ...rest] = (await exported.text()).trimEnd().split('\r\n')
  expect(head).toContain('text,length,list,id,row,state,answer')
  expect(first).toContain(`,no,"'=id1",1,succeeded,`)
  expect(rest).toHaveLength(10)
  // The rows keep the numbers that they have in the file, of which the fifth was left out.
  await expect(signedInPage.getByText('11 of 12, 1 row skipped')).toBeVisible()
  expect(rest.map((line) => /,(\d+),succeeded,/.exec(line)?.[1])).toEqual([
    '2',
    '3',
    '4',
    '6',
    '7',
    '8',
    '9',
    '10',
    '11',
    '12',
  ])
  await expect(rowsTable(signedInPage).getByRole('link', { name: 'Open run of row 5', exact: true })).toHaveCount(0)
  await rowsTable(signedInPage).getByRole('link', { name: 'Open run of row 2', exact: true }).click()
  await expect(signedInPage).toHaveURL(/\/runs\//)
  await expect(signedInPage.getByText('Lamp 2 lasts').first()).toBeVisible()
})

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

const rowsTable = (page: Page) => page.getByRole('table', { name: 'Rows' })

const chooseFile = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer })

const toApiUrl = (page_url: string): string => {
  const { origin, pathname } = new URL(page_url)
  return `${origin}/api${pathname}`
}

async function getBatchState(page: Page, batch: string): Promise<string> {
  return ((await (await page.request.get(toApiUrl(batch))).json()) as { state: string }).state
}

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
