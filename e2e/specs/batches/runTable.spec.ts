import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from '#support/fixtures.ts'

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
  await signedInPage.getByRole('checkbox', { name: 'Skip these rows' }).check()
  await expectAccessible(signedInPage)

  await signedInPage.getByRole('button', { name: 'Dry run of 3 rows' }).click()
  await expect(signedInPage.getByText('The dry run is complete.')).toBeVisible()
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
  expect(head).toContain('row,state,inputs.query,inputs.length,inputs.list,column.id,column.row of the table,answer')
  expect(first).toContain(`"'=id1",1,`)
  expect(rest).toHaveLength(10)
  await rowsTable(signedInPage).getByRole('link', { name: 'Open run of row 2', exact: true }).click()
  await expect(signedInPage).toHaveURL(/\/runs\//)
  await expect(signedInPage.getByText('Lamp 2 lasts').first()).toBeVisible()
})

test('a table that cannot be sent says what is wrong with it, and where', async ({ signedInPage, loupe }) => {
  await signedInPage.goto(`${loupe.url}/batches/new`)
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

  await signedInPage.getByRole('button', { name: 'Another table' }).click()
  await pasteTable(signedInPage, 'text,length\nA lamp.,short\n"A seat.,short\nA desk.,short\n')
  await expect(signedInPage.getByText('A quote opens here and is never closed')).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Another table' }).click()
  await chooseFile(signedInPage, 'long.csv', Buffer.from(`text\n${'x\n'.repeat(100_001)}`))
  await expect(signedInPage.getByText('The table has 100,001 rows. The limit is 100,000.')).toBeVisible()
})

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

async function getBatchState(page: Page, batch: string): Promise<string> {
  return ((await (await page.request.get(toApiUrl(batch))).json()) as { state: string }).state
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}
