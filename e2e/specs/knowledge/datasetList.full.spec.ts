import { findRow, openDataset } from '#support/datasetFixtures.ts'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/knowledgeFixtures.ts'

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
        return page.getByRole('link', { name: /1 document of Failing, \w+ failed to be indexed/ }).count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)
  await expectAccessible(page)
  await page.getByRole('link', { name: /1 document of Failing, \w+ failed to be indexed/ }).click()
  await expect(page).toHaveURL(/status=error/)
  await expect(findRow(page, 'Two')).toContainText('error')
})
