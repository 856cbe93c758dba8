import { Buffer } from 'node:buffer'
import type { Page } from '@playwright/test'
import { findRow, openDataset } from '#support/datasetFixtures.ts'
import { expectAccessible } from '#support/documentFixtures.ts'
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

test('files come first: pasted, refused in one line, and a table of questions is offered as Q&A', async ({
  knowledge,
}) => {
  const { page } = knowledge
  await openDataset(knowledge, 'Adding')
  await page.getByRole('button', { name: 'Add document' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add files or text' })
  const faq = Array.from({ length: 30 }, (_, index) => `Frage ${index}？,"Answer ${index}, all of it."`).join('\n')
  await form.locator('input[type=file]').setInputFiles([
    { name: 'faq.csv', mimeType: 'text/csv', buffer: Buffer.from(`question,answer\n${faq}`) },
    { name: 'picture.docx', mimeType: 'application/octet-stream', buffer: Buffer.from('no Word document') },
  ])
  await expect(form.getByText('faq.csv has questions and answers.', { exact: false })).toBeVisible()
  await form.getByRole('button', { name: 'Import as Q&A' }).click()
  await expect(form.getByText('faq.csv: each row becomes one question with its answer.')).toBeVisible()
  await form.getByRole('button', { name: 'Send 2 files' }).click()
  const refusal = form.getByRole('alert')
  await expect(refusal).toContainText('The platform refused picture.docx.')
  expect((await refusal.boundingBox())?.height).toBeLessThan(60)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(findRow(page, 'faq.csv')).toContainText('available', { timeout: 60_000 })
  await findRow(page, 'faq.csv').getByRole('link').click()
  await expect(page.getByRole('heading', { name: /Segments 30/ })).toBeVisible()
})
