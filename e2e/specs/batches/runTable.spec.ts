import type { Page } from '@playwright/test'
import { expectAccessible } from '#support/documentFixtures.ts'
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
  await expect(signedInPage.getByText('No row can be sent: see the problems under Check.')).toBeVisible()
  await signedInPage.getByRole('checkbox', { name: 'Skip these rows' }).check()
  await expectAccessible(signedInPage)

  await signedInPage.getByRole('button', { name: 'Dry run of 3 rows' }).click()
  await expect(signedInPage.getByText('The requested rows have been sent. The others wait.')).toBeVisible()
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
  await expect(signedInPage.getByText('11 of 12, 1 row left out')).toBeVisible()
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
