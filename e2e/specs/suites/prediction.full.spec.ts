import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, type KnowledgeFixture, test } from '#support/knowledgeFixtures.ts'
import { createJsonSender } from '#support/postJson.ts'

const TEXT = [
  'The sextant warranty lasts 36 months.',
  'A sextant is returned within 45 days.',
  'The mirror of a sextant is cleaned with alcohol.',
].join('\n')

/** A dataset of one document with a segment for each line. */
async function writeSegments({ page, loupe, key }: KnowledgeFixture, instrument: string) {
  const postJson = createJsonSender(page.request, loupe.url)
  const base = `/api/keys/${key}/datasets`
  const { id: dataset_id } = await postJson(base, { name: `All on the ${instrument}` })
  const { document } = await postJson(`${base}/${dataset_id}/document/create-by-text`, {
    name: 'Terms',
    text: TEXT.replaceAll('sextant', instrument),
    indexing_technique: 'economy',
    doc_form: 'text_model',
    process_rule: {
      mode: 'custom',
      rules: { pre_processing_rules: [], segmentation: { separator: '\n', max_tokens: 100, chunk_overlap: 0 } },
    },
  })
  const place = `/datasets/${dataset_id}/documents/${document.id}`
  const list = async () => {
    const response = await page.request.get(`${loupe.url}/api/keys/${key}${place}/segments?limit=20`)
    return ((await response.json()) as { data: { id: string }[] }).data
  }
  await expect.poll(async () => (await list()).length).toBe(3)
  const [warranty, returned] = (await list()).map(({ id }) => id)
  return { dataset_id, place, warranty, returned, postJson }
}

test('an edit shows which golden question it would break, and the experiment after it agrees', async ({
  knowledge,
}) => {
  const { page, workspace } = knowledge
  const { dataset_id, place, warranty, returned, postJson } = await writeSegments(knowledge, 'sextant')
  await knowledge.open(`${place}?segment=${warranty}&child=segment`)
  const editor = page.getByRole('complementary', { name: 'Edit segment' })
  const panel = editor.getByRole('region', { name: 'Test questions' })
  await editor.getByRole('textbox', { name: 'content' }).fill('The mirror is repaired for free.')
  await expect(panel).toContainText('No suite tests this dataset yet.')
  await expect(panel.getByRole('link', { name: 'Create one in the retrieval test' })).toBeVisible()

  const { id: suite } = await postJson('/api/suites', {
    workspace,
    name: 'Sextant terms',
    target: 'retrieval',
    about: dataset_id,
    cases: [
      { input: { query: 'How long is the warranty?' }, expected: { segments: [{ id: warranty }] } },
      { input: { query: 'When is it returned?' }, expected: { segments: [{ id: returned }] } },
    ],
  })
  await page.reload()
  await expect(panel).toContainText('Shows which questions would get other results.')
  const content = editor.getByRole('textbox', { name: 'content' })
  await content.fill('The sextant warranty lasts 24 months.')
  await panel.getByRole('button', { name: 'Check 2 questions' }).click()
  await expect(panel.getByRole('status')).toHaveText('All 2 questions have the same results as before.')

  await content.fill('The mirror is repaired for free.')
  await expect(panel).toContainText('Changed since the last check.')
  await panel.getByRole('button', { name: 'Check 2 questions' }).click()
  await expect(panel.getByRole('status')).toHaveText('1 regressed, 0 fixed, 0 moved, 1 unchanged')
  const broken = panel.getByRole('list', { name: 'Questions that would change' }).getByRole('listitem')
  await expect(broken).toHaveCount(1)
  await expect(broken).toContainText('How long is the warranty?')
  await expect(broken).toContainText('rank 1 to not found')
  await expectAccessible(page)
  await editor.getByRole('button', { name: 'Save segment' }).click()
  await expect(editor).toBeHidden()
  await knowledge.open(`/suites/${suite}`)
  await page.getByRole('button', { name: 'Run suite' }).click()
  const results = page.getByRole('table', { name: 'Results' })
  await expect(results.getByRole('row', { name: /How long is the warranty/ })).toContainText('failed')
  await expect(results.getByRole('row', { name: /When is it returned/ })).toContainText('passed')
})

test('settings are tried over the questions of a suite, and exported', async ({ knowledge }) => {
  const { page, workspace } = knowledge
  const { dataset_id, warranty, returned, postJson } = await writeSegments(knowledge, 'astrolabe')
  const { id: suite } = await postJson('/api/suites', {
    workspace,
    name: 'Astrolabe terms',
    target: 'retrieval',
    about: dataset_id,
    cases: [
      { input: { query: 'How long is the astrolabe warranty?' }, expected: { segments: [{ id: warranty }] } },
      { input: { query: 'When is it returned?' }, expected: { segments: [{ id: returned }] } },
    ],
  })
  await knowledge.open(`/suites/${suite}`)
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Try settings' }).click()
  const sweep = page.getByRole('region', { name: 'Try settings' })
  await sweep.getByRole('textbox', { name: /top_k/ }).fill('0')
  await expect(sweep.getByText('must be whole numbers from 1 to 100')).toBeVisible()
  await expect(sweep.getByRole('button', { name: /^Try/ })).toBeDisabled()
  await sweep.getByRole('textbox', { name: /top_k/ }).fill('1, 2')
  await sweep.getByRole('textbox', { name: /max_tokens/ }).fill('100')
  await sweep.getByRole('button', { name: 'Try 9 settings' }).click()
  const table = sweep.getByRole('table', { name: 'Settings tried' })
  await expect(table.getByRole('row')).toHaveCount(10)
  await expect(table.getByRole('row', { name: /^1 current dry run 2/ })).toContainText('100.0 %')
  await expect(table.getByRole('row', { name: /chunks of 100 tokens/ }).first()).toContainText('estimate')
  await expect(sweep.getByRole('img', { name: /^Found questions by tokens: 1: current, 100 % found/ })).toBeVisible()
  await expect(sweep.getByText('No setting finds significantly more than the current one.')).toBeVisible()
  await expectAccessible(page)
  // It belongs to the suite: it is there when the page is opened again.
  await page.reload()
  await expect(table.getByRole('row')).toHaveCount(10)
  await expect(sweep.getByText('9 of 9 settings · started by')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
  await sweep.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe('Astrolabe-terms-settings.csv')
})
