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

test("from Datasets to a segment's editor it takes at most 12 key presses", async ({ knowledge }) => {
  const { page } = knowledge
  await openParts(knowledge, 'Presses')
  await knowledge.open('/datasets')
  await expect(page.getByRole('link', { name: /^Presses/ })).toBeVisible()
  let presses = 0
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    presses += keys.length
  }
  // As a person would: the search, a few letters of the name, the first row.
  await press('/')
  await expect(page.getByRole('searchbox', { name: 'Search by name or paste an id' })).toBeFocused()
  await press('P', 'r', 'e')
  await expect(page.getByRole('row')).toHaveCount(2)
  await press('Tab', 'j', 'Enter')
  await expect(page.getByRole('heading', { name: /^Presses/, level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Presses', exact: true })).toBeVisible()
  await press('j', 'Enter')
  await expect(page.getByRole('heading', { name: 'Segment 1' })).toBeVisible()
  await press('e')
  await expect(page.getByRole('textbox', { name: 'content' })).toBeFocused()
  expect(presses).toBeLessThanOrEqual(12)
})

test('the heads of a segment and of its editor stay while what is below them scrolls', async ({ knowledge }) => {
  const { page } = knowledge
  // So low that both panes scroll.
  await page.setViewportSize({ width: 1280, height: 440 })
  const lines = Array.from({ length: 60 }, (_, index) => `The brass part ${index + 1} is checked.`)
  const { dataset_id, document_id } = await writeDocument(knowledge, 'Long', lines.join('\n'))
  await knowledge.open(`/datasets/${dataset_id}/documents/${document_id}`)
  await page
    .getByRole('button', { name: /brass part 1 / })
    .last()
    .click()
  const editor = page.getByRole('complementary', { name: 'Child chunk editor' })
  for (const [pane, head] of [
    [page.getByRole('region', { name: 'Segment 1' }), page.getByRole('button', { name: 'Edit segment' })],
    [editor.locator('> *').last(), editor.getByRole('button', { name: 'Close' })],
  ] as const) {
    const measureTop = async (scrollTop: number) => {
      const scrolled = await pane.evaluate((element, top) => {
        element.scrollTo(0, top)
        return element.scrollTop
      }, scrollTop)
      expect(scrolled > 0).toBe(scrollTop > 0)
      await expect(head).toBeInViewport()
      return (await head.boundingBox())?.y
    }
    // The head grows once what it shows has come.
    await expect(async () => expect(await measureTop(10_000)).toBe(await measureTop(0))).toPass({ timeout: 20_000 })
  }
})

test('a segment has a history of short changes, and a former text is restored', async ({ knowledge }) => {
  const { page } = knowledge
  await openParts(knowledge, 'History')
  const content = page.getByRole('textbox', { name: 'content' })
  const save = async (text: string, reason: string) => {
    await page.getByRole('button', { name: 'Edit segment' }).click()
    await content.fill(text)
    await page.getByRole('textbox', { name: 'Reason' }).fill(reason)
    await page.getByRole('button', { name: 'Save segment' }).click()
    await expect(content).toBeHidden()
  }
  await save('The seat is warm.\nThe seat is of brass.', 'Measured again.')
  await save('The seat is hot.\nThe seat is of brass.', 'And again.')
  await page.getByRole('button', { name: 'Edit segment' }).click()
  const history = page.getByRole('region', { name: 'Saved versions' })
  const entries = history.getByRole('listitem')
  await expect(entries).toHaveCount(3)
  await expect(entries.nth(0)).toContainText('And again.')
  await expect(entries.nth(0).locator('del')).toHaveText('warm')
  await expect(entries.nth(0).locator('ins')).toHaveText('hot')
  await expect(entries.nth(2)).toContainText('Retrieved before an edit')
  await entries.nth(2).getByRole('button', { name: 'Restore' }).click()
  await expect(content).toHaveValue('The seat is cold.\nThe seat is of brass.')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await expect(page.getByRole('region', { name: 'Segment 1' })).toContainText('The seat is cold.')
})

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
