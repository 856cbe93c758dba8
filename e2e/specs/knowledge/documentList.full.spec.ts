import type { Page } from '@playwright/test'
import { openDataset } from '#support/datasetFixtures.ts'
import { expect, test, type KnowledgeFixture } from '#support/knowledgeFixtures.ts'

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

const listNames = (page: Page) => page.getByRole('table', { name: 'Documents' }).getByRole('link').allTextContents()

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
