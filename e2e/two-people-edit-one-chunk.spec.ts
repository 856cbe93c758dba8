import type { Page } from '@playwright/test'
import { writeDocument } from './chunks.ts'
import { signIn } from './fixtures.ts'
import { expect, type Knowledge, PLATFORMS, test } from './knowledge.ts'

test.setTimeout(180_000)

for (const offered of PLATFORMS)
  test.describe(offered, () => {
    test.use({ offered })

    test('two people edit the same child chunk, and nothing is overwritten unseen', async ({ knowledge, browser }) => {
      const { page: desk, loupe } = knowledge
      const place = await makeChunk(knowledge)
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
  })

const editor = (page: Page) => page.getByRole('textbox', { name: 'content' })
const history = (page: Page) => page.getByRole('region', { name: 'Saved from this console' })

/** A parent of two children; gives the second child's address. */
async function makeChunk(knowledge: Knowledge): Promise<string> {
  const { page, platform, workspace } = knowledge
  const text = 'The seat carries the lamp.\nThe gap stays below 0.4 mm at every point.'
  const { dataset_id, document_id } = await writeDocument(knowledge, 'Manual', text)
  const place = `/datasets/${dataset_id}/documents/${document_id}`
  const idsOf = async (path: string) => {
    const headers = { authorization: `Bearer ${platform.key}` }
    const response = await page.request.get(`${platform.url}${place}${path}`, { headers })
    return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
  }
  const [segment] = await idsOf('/segments')
  const [, child] = await idsOf(`/segments/${segment}/child_chunks`)
  return `${place}?segment=${segment}&child=${child}&workspace=${workspace}`
}
