import { expectAccessible } from '#support/documentFixtures.ts'
import { addFormulaDocument, openDataset, findRow } from '#support/datasetFixtures.ts'
import { expect, test } from '#support/knowledgeFixtures.ts'

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing serious on the forms of datasets and documents: ${colorScheme}`, async ({ knowledge }) => {
    const { page } = knowledge
    await page.emulateMedia({ colorScheme })
    const dataset_id = await openDataset(knowledge, `Axe ${colorScheme}`)
    await addFormulaDocument(knowledge, dataset_id)
    await knowledge.open('/datasets')
    await page.getByRole('button', { name: 'New dataset' }).first().click()
    await page.getByText('Retrieval settings').click()
    await expectAccessible(page)
    await knowledge.open(`/datasets/${dataset_id}/settings`)
    await expect(page.getByLabel('search_method')).toBeVisible()
    await expectAccessible(page)
    await knowledge.open(`/datasets/${dataset_id}`)
    await expect(findRow(page, '=seed')).toContainText('available')
    await page.getByRole('button', { name: 'More for =seed' }).click()
    await page.getByRole('menuitem', { name: 'Update by file' }).click()
    await expect(page.getByText('Drop a file here')).toBeVisible()
    await expectAccessible(page)
  })
