import { openDataset } from '#support/datasetFixtures.ts'
import { expect, test } from '#support/knowledgeFixtures.ts'

const DOCUMENT_COUNT = 10_000
/** Of a click on a head to the sorted page, once the list is read; generous for a slow machine. */
const MAX_SORT_MS = 10_000

test('a list of 10,000 documents is sorted and filtered over all of them, says what it cost, and stays fluent', async ({
  knowledge,
}) => {
  const { page } = knowledge
  const dataset_id = await openDataset(knowledge, 'Long')
  const toDocument = (number: number) => ({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    name: `Page ${number}.txt`,
    position: number,
    indexing_status: 'completed',
    display_status: number % 100 === 0 ? 'disabled' : 'available',
    enabled: number % 100 !== 0,
    archived: false,
    word_count: (number * 7919) % 10_007,
    tokens: number,
    hit_count: 0,
    created_at: 1_700_000_000 + number,
    doc_metadata: [{ id: 'm', name: 'region', type: 'string', value: number % 2 === 0 ? 'north' : 'south' }],
  })
  let asked = 0
  await page.route(/\/datasets\/[^/]+\/documents(\?|$)/, (route) => {
    asked++
    const query = new URL(route.request().url()).searchParams
    const [number, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 20)]
    const from = (number - 1) * limit
    const length = Math.max(0, Math.min(limit, DOCUMENT_COUNT - from))
    const data = Array.from({ length }, (_, index) => toDocument(DOCUMENT_COUNT - from - index))
    return route.fulfill({
      json: { data, total: DOCUMENT_COUNT, page: number, limit, has_more: from + limit < DOCUMENT_COUNT },
    })
  })
  await knowledge.open(`/datasets/${dataset_id}`)
  await expect(page.getByText('10,000 documents', { exact: true })).toBeVisible()
  expect(asked, 'a page is one request').toBe(1)
  const firstLink = page.getByRole('table', { name: 'Documents' }).getByRole('link').first()

  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect(firstLink).toHaveText('Page 1.txt', { timeout: 60_000 })
  await expect(page.getByText(/10,000 documents read in 100 requests/)).toBeVisible()
  const read = asked
  const startedAt = Date.now()
  await page.getByRole('button', { name: 'Words', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Documents' }).getByRole('row').nth(1)).toContainText('10,006')
  expect(Date.now() - startedAt).toBeLessThan(MAX_SORT_MS)
  expect(asked, 'another head reads nothing').toBe(read)

  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByLabel('Metadata field').selectOption('region')
  await page.getByLabel('Value contains').fill('north')
  await page.keyboard.press('Escape')
  await expect(page.getByText('5,000 documents', { exact: true })).toBeVisible()
  // Rows are drawn deferred, so the box is not checked at once.
  const selectPage = page.getByRole('checkbox', { name: 'Select all on this page' })
  await selectPage.click()
  await expect(selectPage).toBeChecked()
  await page.getByRole('button', { name: 'Select all 5,000' }).click()
  await expect(page.getByText('5,000 documents selected')).toBeVisible()
  await page.getByRole('button', { name: 'region: north' }).click()
  await expect(page.getByText('10,000 documents', { exact: true })).toBeVisible()
})
