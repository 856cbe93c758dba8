import type { Locator, Page } from '@playwright/test'
import { expect, type KnowledgeFixture } from './knowledgeFixtures.ts'
import { createJsonSender } from './postJson.ts'

/** A new dataset, on the screen. */
export async function openDataset(knowledge: KnowledgeFixture, name: string): Promise<string> {
  const { page, loupe } = knowledge
  const data = { name: knowledge.toDatasetName(name) }
  const { id } = await createJsonSender(page.request, loupe.url)(`/api/keys/${knowledge.key}/datasets`, data)
  await knowledge.open(`/datasets/${id}`)
  await expect(page.getByRole('heading', { name: knowledge.toDatasetName(name) })).toBeVisible()
  return id
}

/** A document whose name a spreadsheet would run. */
export async function addFormulaDocument(knowledge: KnowledgeFixture, dataset_id: string): Promise<void> {
  await knowledge.post(`/datasets/${dataset_id}/document/create-by-text`, {
    name: '=seed',
    text: '=1+1 stands in a cell.',
    indexing_technique: 'economy',
    process_rule: { mode: 'automatic' },
  })
  await knowledge.page.reload()
  await expect(findRow(knowledge.page, '=seed')).toContainText('available')
}

export const findRow = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })

/** The form that adds a document from text; where the platform takes files, theirs comes first. */
export async function openTextForm({ page, hasOptionalOperations }: KnowledgeFixture): Promise<Locator> {
  await page.getByRole('button', { name: 'Add document' }).first().click()
  const form = page.getByRole('dialog')
  if (hasOptionalOperations) await form.getByText('Write or paste', { exact: true }).click()
  return form
}
