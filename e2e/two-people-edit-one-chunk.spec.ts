import type { Page } from '@playwright/test'
import { expect, signIn, test } from './fixtures.ts'

test.setTimeout(180_000)

test('two people edit the same child chunk, and nothing is overwritten unseen', async ({ desk, loupe, browser }) => {
  const place = await makeChunk(desk, loupe.url)
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await signIn(other, loupe)
  for (const page of [desk, other]) {
    await page.goto(`${loupe.url}${place}`)
    await expect(editor(page)).toHaveValue('The gap stays below 0.4 mm at every point.')
  }

  await editor(other).fill('The gap stays below 0.35 mm at every point.')
  await other.getByRole('textbox', { name: 'Why' }).fill('The new manual says so.')
  await other.getByRole('button', { name: 'Save child chunk' }).click()
  await expect(history(other)).toContainText('The new manual says so.')

  await editor(desk).fill('The gap stays below 0.4 mm at each of the three points.')
  await desk.reload()
  await expect(editor(desk), 'a draft survives a reload').toHaveValue(/three points/)
  await desk.getByRole('button', { name: 'Save child chunk' }).click()
  const conflict = desk.getByRole('alert', { name: 'Somebody else has changed this text' })
  await expect(conflict).toContainText('0.35')
  await conflict.getByRole('button', { name: 'Take both' }).click()
  await expect(editor(desk)).toHaveValue('The gap stays below 0.35 mm at each of the three points.')
  await desk.getByRole('button', { name: 'Save child chunk' }).click()
  await expect(history(desk)).toContainText('three points')

  const first = history(desk).getByRole('listitem').filter({ hasText: 'Found before an edit' })
  await first.getByRole('button', { name: 'Restore' }).click()
  await desk.getByRole('button', { name: 'Save child chunk' }).click()
  await expect(desk.getByRole('button', { name: 'Save child chunk' })).toBeDisabled()
  await expect(editor(desk)).toHaveValue('The gap stays below 0.4 mm at every point.')
  await elsewhere.close()
})

const editor = (page: Page) => page.getByRole('textbox', { name: 'content' })
const history = (page: Page) => page.getByRole('region', { name: 'Saved from this console' })

/** A document with a parent of two children, made by the interface alone; gives the second child's address. */
async function makeChunk(page: Page, url: string): Promise<string> {
  const headers = { 'x-console': '1' }
  const get = async (path: string) => (await (await page.request.get(`${url}${path}`)).json()) as { data: Listed[] }
  const post = async (path: string, data: unknown) => {
    const response = await page.request.post(`${url}${path}`, { headers, data })
    expect(response.ok(), await response.text()).toBe(true)
    return (await response.json()) as { id: string; document: { id: string } }
  }
  const { data: workspaces } = await get('/api/workspaces')
  const key = workspaces[0]?.keys?.find(({ kind }) => kind === 'knowledge')?.id
  const dataset = await post(`/api/keys/${key}/datasets`, { name: `Two people ${Date.now()}` })
  const documents = `/api/keys/${key}/datasets/${dataset.id}/documents`
  const { document } = await post(`/api/keys/${key}/datasets/${dataset.id}/document/create-by-text`, {
    name: 'Manual',
    text: 'The seat carries the lamp.\nThe gap stays below 0.4 mm at every point.',
    indexing_technique: 'high_quality',
    doc_form: 'hierarchical_model',
    process_rule: {
      mode: 'hierarchical',
      rules: {
        pre_processing_rules: [],
        parent_mode: 'paragraph',
        segmentation: { separator: '\n\n', max_tokens: 500, chunk_overlap: 0 },
        subchunk_segmentation: { separator: '\n', max_tokens: 100, chunk_overlap: 0 },
      },
    },
  })
  await expect.poll(async () => (await get(documents)).data[0]?.indexing_status).toBe('completed')
  const segment = (await get(`${documents}/${document.id}/segments`)).data[0]?.id
  const children = await get(`${documents}/${document.id}/segments/${segment}/child_chunks`)
  return `/datasets/${dataset.id}/documents/${document.id}?segment=${segment}&child=${children.data[1]?.id}`
}

interface Listed {
  id: string
  indexing_status?: string
  keys?: { id: string; kind: string }[]
}
