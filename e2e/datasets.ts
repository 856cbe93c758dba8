import type { Locator, Page } from '@playwright/test'
import { expect, type Knowledge } from './knowledge.ts'

/** A new dataset, on the screen. */
export async function openDataset(knowledge: Knowledge, name: string): Promise<string> {
  const { page, loupe } = knowledge
  const response = await page.request.post(`${loupe.url}/api/keys/${knowledge.key}/datasets`, {
    headers: { 'x-console': '1' },
    data: { name: nameOf(knowledge, name) },
  })
  expect(response.status(), await response.text()).toBe(200)
  const { id } = (await response.json()) as { id: string }
  await knowledge.open(`/datasets/${id}`)
  await expect(page.getByRole('heading', { name: nameOf(knowledge, name) })).toBeVisible()
  return id
}

/** A document whose name a spreadsheet would run. */
export async function addSeed(knowledge: Knowledge, dataset_id: string): Promise<void> {
  await knowledge.post(`/datasets/${dataset_id}/document/create-by-text`, {
    name: '=seed',
    text: '=1+1 stands in a cell.',
    indexing_technique: 'economy',
    process_rule: { mode: 'automatic' },
  })
  await knowledge.page.reload()
  await expect(row(knowledge.page, '=seed')).toContainText('available')
}

export const nameOf = ({ offersAll }: Knowledge, name: string): string => `${name}, ${offersAll ? 'all' : 'eighteen'}`

export const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
