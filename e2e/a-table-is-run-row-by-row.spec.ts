import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const lines = Array.from({ length: 12 }, (_, index) => {
  const list = index === 4 ? 'perhaps' : 'no'
  return `"Lamp ${index + 1} lasts 2,000 hours. Then it is changed.",short,${list},=id${index + 1}`
})
const TABLE = ['text,length,list,id', ...lines].join('\n')

test('a table is checked, tried on three rows, run to its end while nobody looks, and exported', async ({
  desk,
  loupe,
}) => {
  await desk.goto(`${loupe.url}/completion`)
  await desk.getByRole('link', { name: 'Batch', exact: true }).click()
  await expect(desk.getByRole('heading', { name: 'New batch' })).toBeVisible()
  await choose(desk, 'lamps.csv', Buffer.from(`\uFEFF${TABLE}`, 'utf16le'))
  await expect(desk.getByText('12 rows, 4 columns, commas.')).toBeVisible()
  await expect(desk.getByRole('combobox', { name: 'Encoding' })).toHaveValue('utf-16le')
  await expect(desk.getByRole('combobox', { name: 'Column for Text' })).toHaveValue('0')
  await expect(desk.getByText('12 cells begin with =, the first in row 1, “id”.')).toBeVisible()
  await expect(desk.getByRole('list', { name: '1 problem' })).toContainText('Row 5column “list”')
  await expect(desk.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()
  await desk.getByRole('checkbox', { name: 'Leave these rows out' }).check()
  await isAccessible(desk)

  await desk.getByRole('button', { name: 'Dry run of 3 rows' }).click()
  await expect(desk.getByText('The dry run is over.')).toBeVisible()
  await expect(desk.getByText('The rest, 8 rows')).toContainText('tokens')
  await expect(rows(desk).getByText('waiting').first()).toBeVisible()
  await expect(desk.getByRole('button', { name: /^succeeded 3$/ })).toBeVisible()
  const batch = desk.url()
  await desk.getByRole('button', { name: 'Run the rest' }).click()
  await expect(desk.getByRole('button', { name: 'Run the rest' })).toBeHidden()
  await desk.goto(`${loupe.url}/runs`)
  await expect.poll(() => stateOf(desk, batch)).toBe('ended')

  await desk.goto(`${loupe.url}/batches`)
  await desk.getByRole('link', { name: 'lamps.csv' }).first().click()
  await expect(desk.getByRole('button', { name: /^succeeded 11$/ })).toBeVisible()
  await expect(rows(desk).getByRole('row', { name: /Lamp 12 lasts/ })).toBeVisible()
  await isAccessible(desk)
  const exported = await desk.request.get(`${apiOf(batch)}/export?format=csv`)
  const [head, first, ...rest] = (await exported.text()).trimEnd().split('\r\n')
  expect(head).toContain('row,state,inputs.query,inputs.length,inputs.list,column.id,column.row of the table,answer')
  expect(first).toContain(`"'=id1",1,`)
  expect(rest).toHaveLength(10)
  await rows(desk).getByRole('link', { name: 'Open the run of row 2', exact: true }).click()
  await expect(desk).toHaveURL(/\/runs\//)
  await expect(desk.getByText('Lamp 2 lasts').first()).toBeVisible()
})

test('a table that cannot be sent says what is wrong with it, and where', async ({ desk, loupe }) => {
  await desk.goto(`${loupe.url}/batches/new`)
  await paste(desk, 'text\tlength\ttext\nA lamp.\tshort\tB\nA "seat.\tendless\tC\n\tshort\tD\n')
  await expect(desk.getByText('3 rows, 3 columns, tabs.')).toBeVisible()
  await expect(
    desk.getByText('Column 3 has the same head as column 1, “text”. It is called “text (2)” here.'),
  ).toBeVisible()
  const problems = desk.getByRole('list', { name: '2 problems' })
  await expect(problems).toContainText('Row 2column “length”Length is one of:')
  await expect(problems).toContainText('Row 3column “text”Text is required.')
  await desk.getByRole('combobox', { name: 'Column for Length' }).selectOption('the same for all rows')
  await desk.getByRole('textbox', { name: 'Length for all rows' }).fill('long')
  await desk.getByRole('combobox', { name: 'Column for Text' }).selectOption('text (2)')
  await expect(desk.getByText('All 3 rows are ready to be sent.')).toBeVisible()

  await desk.getByRole('button', { name: 'Another table' }).click()
  await paste(
    desk,
    'text\tfiles\nA lamp.\thttps://a.example/a.png\nA seat.\t["https://a.example/b.png"]\nA desk.\t[1]\n',
  )
  await expect(desk.getByRole('list', { name: '1 problem' })).toContainText(
    'Row 3column “files”Files beside the inputs',
  )
  await desk.getByRole('combobox', { name: 'Column for Files beside the inputs' }).selectOption('the same for all rows')
  const files = desk.getByRole('group', { name: 'Files beside the inputs for all rows' })
  await files.getByRole('textbox').fill('https://a.example/c.png')
  await files.getByRole('button', { name: 'Add by URL' }).click()
  await expect(desk.getByText('All 3 rows are ready to be sent.')).toBeVisible()

  await desk.getByRole('button', { name: 'Another table' }).click()
  await paste(desk, 'text,length\nA lamp.,short\n"A seat.,short\nA desk.,short\n')
  await expect(desk.getByText('A quote opens here and is never closed.')).toBeVisible()
  await desk.getByRole('button', { name: 'Another table' }).click()
  await choose(desk, 'long.csv', Buffer.from(`text\n${'x\n'.repeat(100_001)}`))
  await expect(desk.getByText('The table has 100,001 rows. A batch takes 100,000 at most.')).toBeVisible()
})

const rows = (page: Page) => page.getByRole('table', { name: 'Rows' })
const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer })

async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Or paste a table' }).fill(text)
  await page.getByRole('button', { name: 'Read what is pasted' }).click()
}

const apiOf = (page_url: string): string => {
  const { origin, pathname } = new URL(page_url)
  return `${origin}/api${pathname}`
}

async function stateOf(page: Page, batch: string): Promise<string> {
  return ((await (await page.request.get(apiOf(batch))).json()) as { state: string }).state
}

async function isAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}
