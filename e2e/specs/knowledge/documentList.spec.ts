import { findRow, openDataset } from '#support/datasetFixtures.ts'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test, type KnowledgeFixture } from '#support/knowledgeFixtures.ts'
import type { Page } from '@playwright/test'

const addTexts = async (knowledge: KnowledgeFixture, dataset_id: string, count: number) => {
  for (let number = 1; number <= count; number++)
    await knowledge.post(`/datasets/${dataset_id}/document/create-by-text`, {
      name: `Note ${number}.txt`,
      text: `Note ${number}. ${'word '.repeat(number)}`,
      indexing_technique: 'economy',
      process_rule: { mode: 'automatic' },
    })
  await knowledge.page.reload()
  await expect(knowledge.page.getByRole('cell', { name: 'available' })).toHaveCount(count, { timeout: 60_000 })
}

test('ten documents are disabled by three clicks, with one strip and a result for each', async ({ knowledge }) => {
  const { page } = knowledge
  const dataset_id = await openDataset(knowledge, 'Ten')
  await addTexts(knowledge, dataset_id, 10)
  await expect(page.getByText('10 documents', { exact: true })).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select Note 10.txt' }).click()
  await page.getByRole('checkbox', { name: 'Select Note 1.txt' }).click({ modifiers: ['Shift'] })
  await page.getByRole('group', { name: 'Selected documents' }).getByRole('button', { name: 'Disable' }).click()

  const strip = page.getByRole('region', { name: 'Progress of the selected documents' })
  await expect(strip).toContainText('10 documents done.')
  await expect(page.getByRole('cell', { name: 'disabled' })).toHaveCount(10)
  await strip.getByText('Result of each document').click()
  await expect(strip.getByRole('listitem')).toHaveCount(10)
  await expectAccessible(page)
  await strip.getByRole('button', { name: 'Close' }).click()

  // What is archived is not deleted by the platform; it says so of this one and goes on.
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByRole('checkbox', { name: 'Select Note 3.txt' }).click()
  const bar = page.getByRole('group', { name: 'Selected documents' })
  await bar.getByRole('button', { name: 'Archive', exact: true }).click()
  await expect(findRow(page, 'Note 3.txt')).toContainText('archived')
  await page.getByRole('checkbox', { name: 'Select Note 4.txt' }).click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  const confirm = page.getByRole('dialog', { name: 'Delete 2 documents' })
  await expect(confirm).toContainText('1 of them is archived')
  await confirm.getByRole('button', { name: 'Delete 2 documents' }).click()
  await expect(strip).toContainText('1 document done, 1 failed.')
  await expect(strip.getByRole('listitem').first()).toContainText('Note 3.txt')
  await expect(findRow(page, 'Note 4.txt').and(page.getByRole('row'))).toHaveCount(0)
})

test('a document is renamed in its row, and an update from its page stays there', async ({ knowledge }) => {
  const { page } = knowledge
  const dataset_id = await openDataset(knowledge, 'Renamed')
  await addTexts(knowledge, dataset_id, 1)
  await page.getByRole('button', { name: 'More for Note 1.txt' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const field = page.getByRole('textbox', { name: 'New name of Note 1.txt' })
  await expect(field).toBeFocused()
  await field.fill('归还.txt')
  await page.keyboard.press('Enter')
  await expect(findRow(page, '归还.txt')).toContainText('available')

  await page.getByRole('link', { name: '归还.txt' }).click()
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Update 归还.txt' })
  await form.getByLabel(/^text/i).fill('An entirely new text.')
  await form.getByRole('button', { name: 'Update document' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: '归还.txt' })).toBeVisible()
  await expect(page).toHaveURL(/\/documents\//)
})

test('from Datasets to a document and back by the keyboard: rows keep the focus, keys select and edit', async ({
  knowledge,
}) => {
  const { page } = knowledge
  const dataset_id = await openDataset(knowledge, 'Keys')
  const name = knowledge.toDatasetName('Keys')
  await addTexts(knowledge, dataset_id, 3)
  await knowledge.open('/datasets')
  await expect(findRow(page, name)).toBeVisible()
  await page.getByRole('link', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
  await expect(findRow(page, 'Note 3.txt')).toBeVisible()
  for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key)
  await expect(page.getByText('3 documents selected')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Note 1.txt' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText('3 documents selected')).toHaveCount(0)
  await page.keyboard.press('e')
  await expect(page.getByRole('dialog', { name: 'Update Note 1.txt' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('link', { name: 'Note 1.txt' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Note 1.txt' })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Note 1.txt' })).toBeFocused()
})

test('heads sort over the whole list, and the address keeps it', async ({ knowledge }) => {
  const { page } = knowledge
  const dataset_id = await openDataset(knowledge, 'Sorted')
  await addTexts(knowledge, dataset_id, 12)
  expect((await listNames(page)).slice(0, 2)).toEqual(['Note 12.txt', 'Note 11.txt'])
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => listNames(page)).toEqual(Array.from({ length: 12 }, (_, index) => `Note ${index + 1}.txt`))
  await page.getByRole('button', { name: 'Words', exact: true }).click()
  await expect.poll(async () => (await listNames(page))[0]).toBe('Note 12.txt')
  await page.getByRole('button', { name: 'Words', exact: true }).click()
  await expect(page).toHaveURL(/sort=word_count/)
  await expect.poll(async () => (await listNames(page))[0]).toBe('Note 1.txt')
  await page.reload()
  await expect.poll(async () => (await listNames(page))[0]).toBe('Note 1.txt')
})

const listNames = (page: Page) => page.getByRole('table', { name: 'Documents' }).getByRole('link').allTextContents()
