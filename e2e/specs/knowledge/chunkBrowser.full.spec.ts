import { writeDocument } from '#support/documentFixtures.ts'
import { expect, type KnowledgeFixture, test } from '#support/knowledgeFixtures.ts'

const PARTS = [
  'The seat is cold.\nThe seat is of brass.',
  'The lamp is warm.',
  'The gap is narrow.',
  'The hood is new.',
]

const openParts = async (knowledge: KnowledgeFixture, name: string) => {
  const ids = await writeDocument(knowledge, name, PARTS.join('\n\n'))
  const place = `/datasets/${ids.dataset_id}/documents/${ids.document_id}`
  await knowledge.open(place)
  await expect(knowledge.page.getByRole('heading', { name: 'Segment 1' }), 'the first is open').toBeVisible()
  return place
}

test('on a narrow screen the list is a drawer, and the page does not scroll', async ({ knowledge }) => {
  const { page } = knowledge
  await page.setViewportSize({ width: 390, height: 844 })
  await openParts(knowledge, 'Narrow')
  await expect(page.getByRole('region', { name: 'Segments' })).toBeHidden()
  await page.getByRole('button', { name: 'Next segment' }).click()
  await expect(page.getByRole('heading', { name: 'Segment 2' })).toBeVisible()
  await page.getByRole('button', { name: 'Segments' }).click()
  const drawer = page.getByRole('dialog', { name: 'List of segments' })
  await expect(drawer.getByRole('listitem')).toHaveCount(4)
  await drawer.getByRole('link', { name: /hood/ }).click()
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Segment 4' })).toBeVisible()
})
