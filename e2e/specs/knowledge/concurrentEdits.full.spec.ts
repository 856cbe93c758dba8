import type { Page } from '@playwright/test'
import { writeDocument } from '#support/documentFixtures.ts'
import { signIn } from '#support/fixtures.ts'
import { expect, type KnowledgeFixture, PLATFORM_VARIANTS, test } from '#support/knowledgeFixtures.ts'

for (const offered of PLATFORM_VARIANTS)
  test.describe(offered, () => {
    test.use({ platformVariant: offered })

    test('two people edit the same child chunk, and nothing is overwritten unseen', async ({ knowledge, browser }) => {
      const { page: desk, loupe } = knowledge
      const place = await createChunk(knowledge)
      const otherContext = await browser.newContext()
      const other = await otherContext.newPage()
      await signIn(other, loupe)
      for (const page of [desk, other]) {
        await page.goto(`${loupe.url}${place}`)
        await expect(contentField(page)).toHaveValue('The gap stays below 0.4 mm at every point.')
      }

      await contentField(other).fill('The gap stays below 0.35 mm at every point.')
      await other.getByRole('textbox', { name: 'Reason' }).fill('The new manual says so.')
      await other.getByRole('button', { name: 'Save child chunk' }).click()
      await expect(savedVersions(other)).toContainText('The new manual says so.')

      await contentField(desk).fill('The gap stays below 0.4 mm at each of the three points.')
      await desk.reload()
      await expect(contentField(desk), 'a draft survives a reload').toHaveValue(/three points/)
      await desk.getByRole('button', { name: 'Save child chunk' }).click()
      const conflict = desk.getByRole('alert', { name: 'Somebody else changed this text' })
      await expect(conflict).toContainText('0.35')
      await conflict.getByRole('button', { name: 'Use merged text' }).click()
      await expect(contentField(desk)).toHaveValue('The gap stays below 0.35 mm at each of the three points.')
      await desk.getByRole('button', { name: 'Save child chunk' }).click()
      await expect(savedVersions(desk)).toContainText('three points')

      const first = savedVersions(desk).getByRole('listitem').filter({ hasText: 'Retrieved before it was edited' })
      await first.getByRole('button', { name: 'Restore' }).click()
      await desk.getByRole('button', { name: 'Save child chunk' }).click()
      await expect(desk.getByRole('button', { name: 'Save child chunk' })).toBeDisabled()
      await expect(contentField(desk)).toHaveValue('The gap stays below 0.4 mm at every point.')
      await otherContext.close()
    })
  })

const contentField = (page: Page) => page.getByRole('textbox', { name: 'content' })
const savedVersions = (page: Page) => page.getByRole('region', { name: 'Saved versions' })

/** A parent of two children; gives the second child's address. */
async function createChunk(knowledge: KnowledgeFixture): Promise<string> {
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
