import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Page } from '@playwright/test'
import { expect, type FaultyWorkspace, test } from '#support/fixtures.ts'
import { type RecordedRequest, sendError } from '#support/platforms/scriptedPlatform.ts'

/** Seconds: documents of a released platform keep the time at which they were first made. */
const CREATED_AT = 1_790_000_000

/** An economy dataset as released platforms have it: a document is replaced by its name, and filters are ignored. */
class EconomyDataset {
  readonly id = randomUUID()
  documents: Record<string, unknown>[] = [this.#toDocument('manual.md'), this.#toDocument('broken.md', 'error')]
  readonly created: Record<string, unknown>[] = []

  answer({ method, path, body }: RecordedRequest, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(path, 'http://platform')
    const send = (reply: unknown, status = 200) => sendError(response, status, reply, { 'x-version': '1.16.0' })
    if (method === 'GET' && pathname === '/v1/datasets') return send(toPage([this.#toRecord()]))
    if (method === 'GET' && pathname === `/v1/datasets/${this.id}`) return send(this.#toRecord())
    if (method === 'GET' && pathname === `/v1/datasets/${this.id}/documents`) {
      const keyword = searchParams.get('keyword') ?? ''
      return send(toPage(this.documents.filter(({ name }) => String(name).includes(keyword))))
    }
    if (pathname.endsWith('/document/create-by-text')) {
      const input = JSON.parse(body) as Record<string, unknown>
      this.created.push(input)
      const known = this.documents.find(({ name }) => name === input['name'])
      const document = known ?? this.#toDocument(String(input['name']))
      if (!known) this.documents = [document, ...this.documents]
      return send({ document, batch: '20261122' })
    }
    if (pathname.endsWith('/retrieve')) {
      const { query, retrieval_model } = JSON.parse(body) as {
        query: string
        retrieval_model?: { search_method?: string }
      }
      const isFound = retrieval_model?.search_method === 'keyword_search' && query.includes('Oolong')
      const segment = { id: randomUUID(), document_id: this.documents[0]?.['id'], content: 'Oolong tea.', position: 1 }
      return send({ query: { content: query }, records: isFound ? [{ segment, score: null }] : [] })
    }
    send({ code: 'not_found', message: 'Not found.', status: 404 }, 404)
  }

  #toRecord = () => ({
    id: this.id,
    name: 'Economy',
    indexing_technique: 'economy',
    doc_form: 'text_model',
    document_count: this.documents.length,
    word_count: 3877,
    retrieval_model_dict: { search_method: 'keyword_search', top_k: 3, weights: { weight_type: 'customized' } },
  })

  #toDocument(name: string, display_status = 'available'): Record<string, unknown> {
    const indexing_status = display_status === 'error' ? 'error' : 'completed'
    const state = { indexing_status, display_status, enabled: true, created_at: CREATED_AT }
    return { id: randomUUID(), name, ...state, doc_form: 'text_model', word_count: 3877, tokens: 0, hit_count: 0 }
  }
}

const toPage = (data: unknown[]) => ({ data, total: data.length, page: 1, limit: 20, has_more: false })

/** The dataset of the scripted platform, whose capabilities are known after a probe. */
async function serve(page: Page, console: string, { platform, id, knowledgeKey }: FaultyWorkspace) {
  const dataset = new EconomyDataset()
  platform.script = (seen, response) => dataset.answer(seen, response)
  const probe = `${console}/api/workspaces/${id}/keys/${knowledgeKey}/probe`
  const response = await page.request.post(probe, { headers: { 'x-console': '1' } })
  expect(response.ok(), await response.text()).toBe(true)
  expect((await page.request.get(`${console}/api/keys/${knowledgeKey}/datasets?limit=20`)).ok()).toBe(true)
  return dataset
}

test('nothing is lost without a word: an existing name is asked about, and the replacement is said', async ({
  signedInPage: page,
  loupe,
  faultyWorkspace,
}) => {
  const dataset = await serve(page, loupe.url, faultyWorkspace)
  await page.goto(`${loupe.url}/datasets/${dataset.id}?workspace=${faultyWorkspace.id}`)
  await page.getByRole('button', { name: 'Add document' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^name/i).fill('manual.md')
  await form.getByLabel(/^text/i).fill('Another text.')
  await expect(form.getByLabel('indexing_technique')).toHaveValue('economy')
  await expect(form.getByText('The documents of this dataset are text_model.', { exact: false })).toBeVisible()
  await form.getByRole('button', { name: 'Add document' }).click()
  await expect(form.getByText('This dataset has a document named “manual.md”', { exact: false })).toBeVisible()
  expect(dataset.created).toEqual([])
  await form.getByRole('button', { name: 'Send and replace' }).click()
  const notice = page.getByText('The platform replaced the document of that name')
  await expect(notice).toBeVisible()
  expect(dataset.created).toHaveLength(1)
  expect(dataset.created[0]).toMatchObject({
    doc_form: 'text_model',
    retrieval_model: { search_method: 'keyword_search' },
  })

  await page.getByLabel('Filter by status').selectOption('error')
  await expect(page.getByText('The platform does not filter by status.', { exact: false })).toBeVisible()
  await expect(page.getByRole('row', { name: /broken\.md/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /manual\.md/ })).toHaveCount(0)
})

test('an economy dataset is searched by keyword, and measured in characters', async ({
  signedInPage: page,
  loupe,
  faultyWorkspace,
}) => {
  const dataset = await serve(page, loupe.url, faultyWorkspace)
  await page.goto(`${loupe.url}/datasets/${dataset.id}/retrieval?workspace=${faultyWorkspace.id}`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Oolong')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByText('Oolong tea.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Question' }).fill('Pu-erh')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByText('Keywords are case-sensitive on some platforms', { exact: false })).toBeVisible()
  dataset.documents = []
  await page.reload()
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByText('The dataset has no documents, so nothing can be found.')).toBeVisible()

  await page.goto(`${loupe.url}/lab?workspace=${faultyWorkspace.id}`)
  await page.getByRole('textbox', { name: 'Text to split' }).fill('The lamp hums softly. '.repeat(80))
  await expect(page.getByLabel('max_tokens counts')).toHaveValue('characters')
  await expect(page.getByText('Released platforms count characters.', { exact: false })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(4)
  await page.getByLabel('max_tokens counts').selectOption('tokens')
  await expect(page.getByRole('article')).toHaveCount(1)
})
