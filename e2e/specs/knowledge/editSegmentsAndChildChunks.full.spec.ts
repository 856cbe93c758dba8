import { expectAccessible, writeDocument } from '#support/documentFixtures.ts'
import { expect, type KnowledgeFixture, PLATFORM_VARIANTS, test } from '#support/knowledgeFixtures.ts'

const partLines = Array.from({ length: 25 }, (_, index) => `The brass part ${index + 1} is checked.`).join('\n')

for (const offered of PLATFORM_VARIANTS)
  test.describe(offered, () => {
    test.use({ platformVariant: offered })

    test('a segment and its children are found by their words, page by page', async ({ knowledge }) => {
      const { page, hasOptionalOperations } = knowledge
      const { dataset_id, document_id } = await writeDocument(
        knowledge,
        'Parts',
        `${partLines}\n\nA word that stands apart: zircon.`,
      )
      const place = `/datasets/${dataset_id}/documents/${document_id}`
      await knowledge.open(place)
      const list = page.getByRole('region', { name: /^Segments/ })
      // Where the platform lists none, each is opened by its id once, and is remembered.
      if (!hasOptionalOperations)
        for (const { id } of await listItems(knowledge, `${place}/segments`)) {
          await list.getByRole('searchbox', { name: 'Search segments' }).fill(id)
          await expect(page).toHaveURL(new RegExp(`segment=${id}`))
          await expect(page.getByRole('heading', { name: /^Segment \d/ })).toBeVisible()
        }
      await expect(list.getByRole('listitem')).toHaveCount(2)
      await list.getByRole('searchbox', { name: 'Search segments' }).fill('zircon')
      await expect(list.getByRole('listitem')).toHaveCount(1)
      await list.getByRole('link', { name: /zircon/ }).click()
      await expect(page).toHaveURL(/keyword=zircon/)
      await expect(page.getByRole('heading', { name: 'Segment 2' })).toBeVisible()
      await list.getByRole('searchbox', { name: 'Search segments' }).fill('')
      await list.getByRole('link', { name: /brass part 1/ }).click()
      await expect(page.getByRole('heading', { name: 'Segment 1' })).toBeVisible()

      const children = page.getByRole('table', { name: 'Child chunks' })
      await expect(children.getByRole('row')).toHaveCount(21)
      await page.getByRole('button', { name: 'Next page' }).click()
      await expect(children.getByRole('row')).toHaveCount(6)
      await page.getByRole('searchbox', { name: 'Search child chunks' }).fill('part 17 ')
      await expect(children.getByRole('row')).toHaveCount(2)
      await page.getByText('Raw record').click()
      await expect(page.getByRole('region', { name: 'Raw record' })).toContainText('index_node_hash')
      await expectAccessible(page)
    })
  })

test('a segment is edited after a diff, disabled, enabled and deleted, and so is one of its children', async ({
  knowledge,
}) => {
  const { page } = knowledge
  const { dataset_id, document_id } = await writeDocument(
    knowledge,
    'Seats',
    'The first seat is cold.\nThe second seat is warm.\n\nA lamp.',
  )
  const place = `/datasets/${dataset_id}/documents/${document_id}`
  const [segment] = await listItems(knowledge, `${place}/segments`)
  await knowledge.open(`${place}?segment=${segment?.id}`)
  await page
    .getByRole('button', { name: /second seat/ })
    .last()
    .click()
  const children = page.getByRole('table', { name: 'Child chunks' })
  await expect(children.getByRole('row')).toHaveCount(3)
  const editor = page.getByRole('complementary', { name: 'Child chunk editor' })
  await editor.getByRole('button', { name: 'Delete' }).click()
  const confirm = page.getByRole('dialog', { name: 'Delete child chunk 2?' })
  await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await confirm.getByRole('button', { name: 'Delete the child chunk' }).click()
  await expect(children.getByRole('row')).toHaveCount(2)
  await expect(page.getByText(/1 gap/)).toBeVisible()

  await page.getByRole('button', { name: 'Edit segment' }).click()
  await page.getByRole('textbox', { name: 'content' }).fill('The first seat is cold as glass.')
  await page.getByRole('textbox', { name: 'keywords' }).fill('seat, glass')
  await expect(page.getByRole('region', { name: 'Before you save' }).locator('ins').last()).toContainText('glass')
  await page.getByRole('button', { name: 'Save segment' }).click()
  const pane = page.getByRole('region', { name: 'Segment 1' })
  await expect(pane.getByText('glass', { exact: true })).toBeVisible()
  const choose = async (name: string) => {
    await pane.getByRole('button', { name: 'More actions on this segment' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Disable')
  await expect(pane.getByText('disabled', { exact: true })).toBeVisible()
  await choose('Enable')
  await expect(pane.getByText('disabled', { exact: true })).toBeHidden()
  await choose('Delete')
  await page.getByRole('dialog', { name: 'Delete Segment 1?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Segment 2' }), 'its neighbour takes its place').toBeVisible()
  await expect(page.getByRole('region', { name: 'Segments' }).getByRole('listitem')).toHaveCount(1)
})

test('a chunk of a document that takes no edits says so, and what was written waits', async ({ knowledge }) => {
  const { page } = knowledge
  const { dataset_id, document_id } = await writeDocument(knowledge, 'Shut', 'It stands.\nIt falls.')
  const place = `/datasets/${dataset_id}/documents/${document_id}`
  const [segment] = await listItems(knowledge, `${place}/segments`)
  await setStatus(knowledge, dataset_id, document_id, 'disable')
  await knowledge.open(`${place}?segment=${segment?.id}&child=new`)
  await page.getByRole('textbox', { name: 'content' }).fill('A child in the meantime.')
  await expect(page.getByText('will not become available by itself')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send now anyway' })).toBeEnabled()
  await expectAccessible(page)
  await setStatus(knowledge, dataset_id, document_id, 'enable')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'content' })).toHaveValue('A child in the meantime.')
  await page.getByRole('button', { name: 'Create child chunk' }).click()
  await expect(page.getByRole('table', { name: 'Child chunks' })).toContainText('A child in the meantime.')
})

test('a segment of questions and answers shows both, with its keywords', async ({ knowledge }) => {
  const { page, post } = knowledge
  const { id: dataset_id } = await post('/datasets', { name: 'Questions and answers' })
  const { document } = await post(`/datasets/${String(dataset_id)}/document/create-by-text`, {
    name: 'Answers',
    text: 'Q: Which gap does the cold seat have?\nA: It is below 0.35 mm.',
    indexing_technique: 'economy',
    doc_form: 'qa_model',
    process_rule: { mode: 'automatic' },
  })
  const place = `/datasets/${String(dataset_id)}/documents/${(document as { id: string }).id}`
  await expect.poll(async () => (await listItems(knowledge, `${place}/segments`)).length).toBe(1)
  const [segment] = await listItems(knowledge, `${place}/segments`)
  await knowledge.open(`${place}?segment=${segment?.id}`)
  const pane = page.getByRole('region', { name: 'Segment 1' })
  await expect(pane).toContainText('Which gap does the cold seat have?')
  await expect(pane).toContainText('It is below 0.35 mm.')
  await expect(pane.getByText('seat', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Edit segment' }).click()
  await expect(page.getByRole('textbox', { name: 'answer' })).toHaveValue('It is below 0.35 mm.')
})

/** Read past the console, so that also where it is not offered their list the ids are known. */
async function listItems({ page, platform }: KnowledgeFixture, path: string): Promise<{ id: string }[]> {
  const headers = { authorization: `Bearer ${platform.key}` }
  const response = await page.request.get(`${platform.url}${path}`, { headers })
  return ((await response.json()) as { data?: { id: string }[] }).data ?? []
}

async function setStatus(
  { page, platform }: KnowledgeFixture,
  dataset_id: string,
  document_id: string,
  action: Action,
) {
  const response = await page.request.patch(`${platform.url}/datasets/${dataset_id}/documents/status/${action}`, {
    headers: { authorization: `Bearer ${platform.key}` },
    data: { document_ids: [document_id] },
  })
  expect(response.ok(), await response.text()).toBe(true)
}
type Action = 'enable' | 'disable'
