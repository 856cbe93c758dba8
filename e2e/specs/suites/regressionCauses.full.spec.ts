import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, type KnowledgeFixture, test } from '#support/knowledgeFixtures.ts'
import { createJsonSender } from '#support/postJson.ts'

const QUESTION = 'How long is the pantograph warranty?'

test('a regressed case leads to the edit of the chunk that it cited, and an approved baseline is what it is compared with', async ({
  knowledge,
}) => {
  const { page, workspace, loupe } = knowledge
  const { dataset_id, document_id, segment_id } = await writePlainDocument(knowledge)
  const postJson = createJsonSender(page.request, loupe.url)
  const { id: suite } = await postJson('/api/suites', {
    workspace,
    name: 'Pantographs',
    target: 'retrieval',
    about: dataset_id,
    cases: [
      { input: { query: QUESTION }, expected: { segments: [{ id: segment_id, document_id }] } },
      { input: { query: 'When is a pantograph returned?' }, expected: { documents: [{ id: document_id }] } },
    ],
  })
  await knowledge.open(`/suites/${suite}`)
  await page.getByRole('button', { name: 'Run suite' }).click()
  const results = page.getByRole('table', { name: 'Results' })
  await expect(results.getByRole('row').filter({ hasText: 'passed' })).toHaveCount(2)
  const views = page.getByRole('group', { name: 'Show' })
  await views.getByRole('button', { name: 'Experiments' }).click()
  await expect(page.getByText(/^No experiment is approved as the baseline/)).toBeVisible()
  await page.getByRole('table', { name: 'Experiments' }).getByRole('link').click()
  await page.getByRole('button', { name: 'Make it the baseline' }).click()
  await expect(page.getByText(/^Baseline, approved by/)).toBeVisible()

  await knowledge.open(`/datasets/${dataset_id}/documents/${document_id}?segment=${segment_id}`)
  await page.getByRole('button', { name: 'Edit segment' }).click()
  await page.getByRole('textbox', { name: 'content' }).fill('Nothing is left of this paragraph.')
  await page.getByRole('textbox', { name: 'keywords' }).fill('nothing')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await expect(page.getByRole('region', { name: 'Segment 1' })).toContainText('Nothing is left')

  await knowledge.open(`/suites/${suite}`)
  await page.getByRole('button', { name: 'Run suite' }).click()
  await expect(results.getByRole('row').filter({ hasText: 'failed' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Compare', exact: true }).last().click()
  await expect(page.getByText(/^The experiment before is the baseline, approved by/)).toBeVisible()
  const causes = page.getByRole('region', { name: 'Likely causes of the regressions' })
  await expect(causes.getByRole('listitem')).toHaveCount(1)
  await expect(causes).toContainText(/Chunk edited.*by .*concerns 1 of 1 regressed case/)
  const compared = page.getByRole('table', { name: 'Compared cases' })
  const row = compared.getByRole('row', { name: QUESTION })
  await expect(row).toContainText('regressed')
  await expect(row).toContainText(/Chunk edited.*% of the cited text changed/)
  await expectAccessible(page)

  await causes.getByRole('link', { name: 'View call: Chunk edited' }).click()
  await expect(page).toHaveURL(/\/ledger\?.*call=/)
  await expect(page.getByText('adjacent.updateSegment').first()).toBeVisible()
  await page.goBack()
  await row.getByRole('link', { name: 'Chunk edited', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/datasets/${dataset_id}/documents/${document_id}\\?.*segment=${segment_id}`))
  await expect(page.getByRole('region', { name: 'Segment 1' })).toContainText('Nothing is left')

  await knowledge.open(`/suites/${suite}?view=experiments`)
  const chart = page.getByRole('region', { name: 'Pass rate of cases' })
  await expect(chart).toContainText('1 of 2 cases passed')
  await chart.getByRole('button', { name: 'As a table' }).click()
  await expect(chart.getByRole('row')).toHaveCount(3)
  await expect(chart.getByRole('row').last()).toContainText('baseline')
  await expectAccessible(page)
})

/** Two paragraphs, a segment each. */
async function writePlainDocument({ page, loupe, key }: KnowledgeFixture) {
  const base = `/api/keys/${key}/datasets`
  const postJson = createJsonSender(page.request, loupe.url)
  const read = async (path: string) =>
    ((await (await page.request.get(loupe.url + path)).json()) as { data: { id: string; indexing_status?: string }[] })
      .data
  const { id: dataset_id } = await postJson(base, { name: 'Pantographs' })
  const { document } = await postJson(`${base}/${dataset_id}/document/create-by-text`, {
    name: 'Terms',
    text: 'The pantograph warranty lasts 36 months.\n\nA pantograph is returned within 45 days.',
    indexing_technique: 'economy',
    process_rule: {
      mode: 'custom',
      rules: { pre_processing_rules: [], segmentation: { separator: '\n\n', max_tokens: 500 } },
    },
  })
  await expect.poll(async () => (await read(`${base}/${dataset_id}/documents`))[0]?.indexing_status).toBe('completed')
  const [segment] = await read(`${base}/${dataset_id}/documents/${document.id}/segments`)
  return { dataset_id, document_id: document.id, segment_id: segment?.id ?? '' }
}
