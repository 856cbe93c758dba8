import type { Page } from '@playwright/test'
import { findRow, openDataset } from '#support/datasetFixtures.ts'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, PLATFORM_VARIANTS, test } from '#support/knowledgeFixtures.ts'

const listNames = async (page: Page): Promise<string[]> => {
  const names = await page
    .getByRole('table', { name: 'Datasets' })
    .getByRole('link', { name: /^Sort / })
    .allTextContents()
  return names.map((name) => name.split(',')[0] ?? '')
}

for (const offered of PLATFORM_VARIANTS)
  test.describe(offered, () => {
    test.use({ platformVariant: offered })

    test('the list of datasets sorts, and the address keeps it', async ({ knowledge }) => {
      const { page } = knowledge
      for (const name of ['Sort 10', 'Sort 9', 'Sort 11']) await openDataset(knowledge, name)
      await knowledge.open('/datasets?q=Sort')
      await page.getByRole('button', { name: 'Name', exact: true }).click()
      await expect.poll(() => listNames(page)).toEqual(['Sort 9', 'Sort 10', 'Sort 11'])
      await page.getByRole('button', { name: 'Name', exact: true }).click()
      await expect.poll(() => listNames(page)).toEqual(['Sort 11', 'Sort 10', 'Sort 9'])
      await page.reload()
      await expect.poll(() => listNames(page)).toEqual(['Sort 11', 'Sort 10', 'Sort 9'])
      await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending')
      await expectAccessible(page)
    })
  })

test('the list counts documents that failed, and calls no model missing where none is needed', async ({
  knowledge,
}) => {
  const { page } = knowledge
  const dataset_id = await openDataset(knowledge, 'Failing')
  await knowledge.post(`/datasets/${dataset_id}/document/create-by-text`, {
    name: 'One',
    text: 'The first note.',
    indexing_technique: 'high_quality',
    process_rule: { mode: 'automatic' },
  })
  await knowledge.open('/datasets?q=Failing')
  await expect(async () => {
    await page.reload()
    await expect(findRow(page, 'Failing')).toContainText('ready', { timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
  await expect(findRow(page, 'Failing')).not.toContainText('no model')

  // More segments than the built-in platform stores of a document.
  await knowledge.post(`/datasets/${dataset_id}/document/create-by-text`, {
    name: 'Two',
    text: 'a\n'.repeat(100_001),
    process_rule: {
      mode: 'custom',
      rules: { pre_processing_rules: [], segmentation: { separator: '\n', max_tokens: 50 } },
    },
  })
  await expect
    .poll(
      async () => {
        await page.reload()
        await expect(findRow(page, 'Failing')).toBeVisible()
        return page.getByRole('link', { name: /1 document of Failing, all failed to be indexed/ }).count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)
  await expectAccessible(page)
  await page.getByRole('link', { name: /1 document of Failing, all failed to be indexed/ }).click()
  await expect(page).toHaveURL(/status=error/)
  await expect(findRow(page, 'Two')).toContainText('error')
})
