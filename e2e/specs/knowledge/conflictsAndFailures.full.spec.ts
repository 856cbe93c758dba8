import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { Page } from '@playwright/test'
import { expectAccessible, toHierarchy } from '#support/documentFixtures.ts'
import { sendError, ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { createJsonSender } from '#support/postJson.ts'
import { expect, type KnowledgeFixture, PLATFORM_VARIANTS, test } from '#support/knowledgeFixtures.ts'

for (const offered of PLATFORM_VARIANTS)
  test.describe(offered, () => {
    test.use({ platformVariant: offered })

    test('edits that an update discards are listed, and an update waits until the document takes it', async ({
      knowledge,
    }) => {
      const { page } = knowledge
      const dataset_id = await createDataset(knowledge, 'Edits')
      const document_id = await addParentDocument(knowledge, dataset_id)
      const segments = `/datasets/${dataset_id}/documents/${document_id}/segments`
      const { data } = await readFromPlatform(knowledge, segments)
      await writeThroughConsole(knowledge, `${segments}/${data[0]?.id}/child_chunks`, {
        content: 'A child written by hand.',
      })
      await knowledge.open(`/datasets/${dataset_id}?update=${document_id}&by=text`)
      const form = page.getByRole('dialog')
      const lost = form.getByRole('region', { name: 'Edits that will be lost' })
      await expect(lost).toContainText('1 edit of its chunks made here is lost')
      await expect(lost).toContainText('A child written by hand.')
      await expect(form.getByRole('button', { name: 'Update and lose 1 edit' })).toBeVisible()

      // However fast the machine: the page hears that the document waits, as long as this says so.
      const waiting = await addText(knowledge, dataset_id, 'Waiting', 'A short text.')
      let isHeld = true
      await page.route(/\/datasets\/[^/]+\/documents/, async (route) => {
        if (!isHeld || route.request().method() !== 'GET') return route.continue()
        const response = await route.fetch()
        const said = (await response.text())
          .replace(/"indexing_status":"\w+"/g, '"indexing_status":"waiting"')
          .replace(/"display_status":"\w+"/g, '"display_status":"queuing"')
        await route.fulfill({ response, body: said })
      })
      await knowledge.open(`/datasets/${dataset_id}?update=${waiting}&by=text`)
      await form.getByLabel(/^text/i).fill('Short now.')
      await form.getByRole('button', { name: 'Send when available' }).click()
      await expect(form.getByText('It is sent as soon as the document is available.', { exact: false })).toBeVisible()
      isHeld = false
      await expect(form).toBeHidden({ timeout: 90_000 })
      // By its link: another document may still be shown as waiting.
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Waiting', exact: true }) })
      await expect(row).toContainText('available')
      await expect(row.getByRole('cell', { name: '2', exact: true }).first()).toBeVisible()
      await row.getByRole('img', { name: /^Indexing: waiting/ }).hover()
      await expect(page.getByRole('tooltip')).toContainText('completed')
    })
  })

test('a file over the limit waits for a word, and one that is cut or cancelled is sent again', async ({
  knowledge,
}) => {
  const { page } = knowledge
  const dataset_id = await createDataset(knowledge, 'Uploads')
  await knowledge.open(`/datasets/${dataset_id}`)
  await page.getByRole('button', { name: 'Add document' }).first().click()
  const form = page.getByRole('dialog')
  const files = form.locator('input[type=file]')
  const item = (name: string) => form.getByRole('listitem').filter({ hasText: name })
  await files.setInputFiles([toTextFile('huge.txt', 16 * 1024 * 1024)])
  await expect(item('huge.txt')).toContainText('exceeds the usual limit of 15.0 MB')
  await item('huge.txt').getByRole('button', { name: 'Send anyway' }).click()
  await expect(item('huge.txt').getByRole('alert')).toContainText('larger than 15 MB')
  await item('huge.txt').getByRole('button', { name: 'Remove huge.txt' }).click()

  // The first is held on the way and cancelled there; the second finds the connection cut.
  let asked = 0
  await page.route('**/document/create-by-file', (route) => (++asked === 1 ? undefined : route.abort()))
  await files.setInputFiles([toTextFile('cancelled.txt', 2000)])
  await form.getByRole('button', { name: /^Send .*file/ }).click()
  await expect.poll(() => asked, 'the first file is on its way').toBe(1)
  await item('cancelled.txt').getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(item('cancelled.txt')).toContainText('Cancelled before the upload was complete.')
  await files.setInputFiles([toTextFile('cut.txt', 2000)])
  await form.getByRole('button', { name: /^Send .*file/ }).click()
  await expect(item('cut.txt').getByRole('alert')).toBeVisible()
  await page.unroute('**/document/create-by-file')
  await uploadHalf(knowledge, `/datasets/${dataset_id}/document/create-by-file`)
  expect(
    (await readFromPlatform(knowledge, `/datasets/${dataset_id}/documents`)).data,
    'half a file makes no document',
  ).toEqual([])
  for (const name of ['cancelled.txt', 'cut.txt']) {
    await item(name).getByRole('button', { name: 'Send again' }).click()
    await expect(item(name).getByText('sent', { exact: true })).toBeVisible()
  }
})

test('a document is disabled, enabled, taken out as Markdown and deleted', async ({ knowledge }) => {
  const { page } = knowledge
  const dataset_id = await createDataset(knowledge, 'States')
  await addParentDocument(knowledge, dataset_id)
  await knowledge.open(`/datasets/${dataset_id}`)
  const row = page.getByRole('row').filter({ hasText: 'Parents' })
  await expect(row).toContainText('available')
  await chooseMenuItem(page, 'Disable')
  await expect(row).toContainText('disabled')
  await chooseMenuItem(page, 'Enable')
  await expect(row).toContainText('available')

  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
  await chooseMenuItem(page, 'Export chunks')
  const form = page.getByRole('dialog')
  await form.getByLabel('Format').selectOption('md')
  await form.getByLabel('Include').selectOption('child_chunks')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  const written = await readFile(await download.path(), 'utf8')
  expect(written).toContain('# Parents\n')
  expect(written).toContain('### Child chunk 1\n')
  await form.getByRole('button', { name: 'Close' }).last().click()

  await chooseMenuItem(page, 'Delete')
  await form.getByRole('button', { name: 'Delete document' }).click()
  await expect(page.getByText('No documents yet')).toBeVisible()
})

test('a key without rights is said on each screen of a dataset, and nothing typed is lost', async ({ knowledge }) => {
  const { page, loupe } = knowledge
  const dataset_id = await createDataset(knowledge, 'Rights')
  const document_id = await addParentDocument(knowledge, dataset_id)
  const segment_id = (await readFromPlatform(knowledge, `/datasets/${dataset_id}/documents/${document_id}/segments`))
    .data[0]?.id
  const { id, platform: closed } = await addRefusingWorkspace(knowledge, 403, 'Dataset api access is not enabled.')
  const open = (path: string) => page.goto(`${loupe.url}${path}${path.includes('?') ? '&' : '?'}workspace=${id}`)
  const said = (what: string) =>
    expect(
      page
        .getByRole('alert')
        .filter({ hasText: `The platform refused to ${what}.` })
        .first(),
    ).toContainText('Dataset api access is not enabled.')

  await open(`/datasets/${dataset_id}`)
  await said('list the documents')
  await expectAccessible(page)
  await open(`/datasets/${dataset_id}/documents/${document_id}?segment=${segment_id}&child=${segment_id}`)
  await said('load the document')
  await said('load the segment')
  await said('list the child chunks')
  await expectAccessible(page)
  await open(`/datasets/${dataset_id}/retrieval`)
  await said('load the app’s inputs')
  await page.getByRole('textbox', { name: 'Question' }).fill('Which gap?')
  await page.getByRole('button', { name: 'Find' }).click()
  await said('search this dataset')
  await expect(page.getByRole('textbox', { name: 'Question' })).toHaveValue('Which gap?')
  await expectAccessible(page)
  await open(`/datasets/${dataset_id}/settings`)
  await page.getByLabel('description').fill('Not taken')
  await page.getByLabel(/^name/i).fill('Not taken')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await said('save the settings')
  await expect(page.getByLabel('description')).toHaveValue('Not taken')
  await expectAccessible(page)
  await closed.close()
})

const toTextFile = (name: string, size: number) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.alloc(size, 'words \n'),
})

/** An upload whose line is cut when half of its bytes are through. */
async function uploadHalf({ page, loupe, key }: KnowledgeFixture, path: string): Promise<void> {
  const cookies = await page.context().cookies(loupe.url)
  const { hostname, port } = new URL(loupe.url)
  const body = Buffer.from(
    ['--half', 'Content-Disposition: form-data; name="file"; filename="half.txt"', '', 'words '.repeat(5000)].join(
      '\r\n',
    ),
  )
  const upload = request({
    host: hostname,
    port,
    path: `/api/keys/${key}${path}`,
    method: 'POST',
    headers: {
      'x-console': '1',
      'content-type': 'multipart/form-data; boundary=half',
      'content-length': body.length * 2,
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    },
  })
  const over = new Promise((resolve) => upload.once('close', resolve))
  upload.on('error', () => undefined)
  await new Promise((resolve) => upload.write(body, resolve))
  upload.destroy()
  await over
}

async function chooseMenuItem(page: Page, itemName: string): Promise<void> {
  await page.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: itemName, exact: true }).click()
}

async function createDataset(
  { post: postJson, hasOptionalOperations }: KnowledgeFixture,
  name: string,
): Promise<string> {
  return String((await postJson('/datasets', { name: `${name}, ${hasOptionalOperations ? 'all' : 'eighteen'}` }))['id'])
}

async function addText({ post }: KnowledgeFixture, dataset_id: string, name: string, content: string, more = {}) {
  const { document } = await post(`/datasets/${dataset_id}/document/create-by-text`, {
    name,
    text: content,
    indexing_technique: 'economy',
    process_rule: { mode: 'automatic' },
    ...more,
  })
  return (document as { id: string }).id
}

/** A document of one parent with children, when it is indexed. */
async function addParentDocument(knowledge: KnowledgeFixture, dataset_id: string): Promise<string> {
  const id = await addText(knowledge, dataset_id, 'Parents', 'The seat is cold. The gap is small.', {
    ...toHierarchy('. '),
  })
  await expect
    .poll(
      async () => (await readFromPlatform(knowledge, `/datasets/${dataset_id}/documents`)).data[0]?.['display_status'],
    )
    .toBe('available')
  return id
}

/** Read past the console, so that also segments can be found where it is not offered their list. */
async function readFromPlatform({ page, platform }: KnowledgeFixture, path: string) {
  const response = await page.request.get(`${platform.url}${path}`, {
    headers: { authorization: `Bearer ${platform.key}` },
  })
  return (await response.json()) as { data: Record<string, string>[] }
}

/** Written through the console, which remembers it. */
async function writeThroughConsole({ page, loupe, key }: KnowledgeFixture, path: string, data: unknown): Promise<void> {
  const response = await page.request.post(`${loupe.url}/api/keys/${key}${path}`, {
    headers: { 'x-console': '1' },
    data,
  })
  expect(response.status(), await response.text()).toBe(200)
}

/** A workspace whose platform took its keys, and has refused everything since. */
async function addRefusingWorkspace({ page, loupe }: KnowledgeFixture, status: 401 | 403, message: string) {
  const platform = await ScriptedPlatform.start()
  const postJson = createJsonSender(page.request, loupe.url)
  const { id } = await postJson('/api/workspaces', { name: 'Refusing', base_url: platform.url })
  await postJson(`/api/workspaces/${id}/keys`, { kind: 'knowledge', label: 'Refused', key: 'dataset-refused-later' })
  await postJson(`/api/workspaces/${id}/keys`, { kind: 'chat', label: 'No app', key: 'app-refused-later' })
  const code = status === 401 ? 'unauthorized' : 'forbidden'
  platform.script = (_seen, response) => sendError(response, status, { code, message, status })
  return { id, platform }
}
