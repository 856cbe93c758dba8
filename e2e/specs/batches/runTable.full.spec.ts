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

test('a table that cannot be sent says what is wrong with it, and where', async ({ signedInPage, loupe }) => {
  await signedInPage.goto(`${loupe.url}/batches/new`)
  // The page opens with the app of the last batch.
  const app = signedInPage.getByRole('combobox', { name: 'App' })
  await app.selectOption('Summarise a text')
  // The form is another one for each app.
  await expect(app.locator('option:checked')).toHaveText('Summarise a text')
  await pasteTable(signedInPage, 'text\tlength\ttext\nA lamp.\tshort\tB\nA "seat.\tendless\tC\n\tshort\tD\n')
  await expect(signedInPage.getByText('3 rows, 3 columns, tabs.')).toBeVisible()
  await expect(
    signedInPage.getByText('Columns 1 and 3 have the same name, “text”. Column 3 was renamed to “text (2)”.'),
  ).toBeVisible()
  const problems = signedInPage.getByRole('list', { name: '2 problems' })
  await expect(problems).toContainText('Row 2column “length”Length must be one of:')
  await expect(problems).toContainText('Row 3column “text”Text is required.')
  await signedInPage.getByRole('combobox', { name: 'Column for Length' }).selectOption('same value for all rows')
  await signedInPage.getByRole('textbox', { name: 'Length for all rows' }).fill('long')
  await signedInPage.getByRole('combobox', { name: 'Column for Text' }).selectOption('text (2)')
  await expect(signedInPage.getByText('All 3 rows are valid.')).toBeVisible()

  await signedInPage.getByRole('button', { name: 'Another table' }).click()
  await pasteTable(
    signedInPage,
    'text\tfiles\nA lamp.\thttps://a.example/a.png\nA seat.\t["https://a.example/b.png"]\nA desk.\t[1]\n',
  )
  await expect(signedInPage.getByRole('list', { name: '1 problem' })).toContainText(
    'Row 3column “files”Additional files',
  )
  await signedInPage
    .getByRole('combobox', { name: 'Column for Additional files' })
    .selectOption('same value for all rows')
  const files = signedInPage.getByRole('group', { name: 'Additional files for all rows' })
  await files.getByRole('textbox').fill('https://a.example/c.png')
  await files.getByRole('button', { name: 'Add by URL' }).click()
  await expect(signedInPage.getByText('All 3 rows are valid.')).toBeVisible()

  // Another app takes the table over, with columns for its own inputs.
  await app.selectOption('Handbook assistant')
  await expect(signedInPage.getByRole('combobox', { name: 'Column for Question' })).toBeVisible()
  await expect(signedInPage.getByText('3 rows, 2 columns, tabs.')).toBeVisible()
  await app.selectOption('Summarise a text')
  await expect(signedInPage.getByRole('combobox', { name: 'Column for Text' })).toHaveValue('0')

  await signedInPage.getByRole('button', { name: 'Another table' }).click()
  await pasteTable(signedInPage, 'text,length\nA lamp.,short\n"A seat.,short\nA desk.,short\n')
  await expect(signedInPage.getByText('A quote opens here and is never closed')).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Another table' }).click()
  await chooseFile(signedInPage, 'long.csv', Buffer.from(`text\n${'x\n'.repeat(100_001)}`))
  await expect(signedInPage.getByText('The table has 100,001 rows. The limit is 100,000.')).toBeVisible()
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

async function pasteTable(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Or paste a table' }).fill(text)
  await page.getByRole('button', { name: 'Use pasted table' }).click()
}

const toApiUrl = (page_url: string): string => {
  const { origin, pathname } = new URL(page_url)
  return `${origin}/api${pathname}`
}
