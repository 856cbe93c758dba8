import { expectAccessible, writeDocument } from '#support/documentFixtures.ts'
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

test('several segments are disabled, enabled and deleted at once, with the mouse', async ({ knowledge }) => {
  const { page } = knowledge
  await openParts(knowledge, 'Bulk')
  const list = page.getByRole('region', { name: 'Segments' })
  await expect(list.getByText('2 child chunks')).toBeVisible()
  await list.getByRole('checkbox', { name: /Select The lamp/ }).click()
  await list.getByRole('checkbox', { name: /Select The hood/ }).click({ modifiers: ['Shift'] })
  await expect(list.getByText('3 selected')).toBeVisible()
  await list.getByRole('button', { name: 'Disable' }).click()
  await expect(list.getByText('3 segments disabled.')).toBeVisible()
  await expect(list.getByRole('listitem').filter({ hasText: 'disabled' })).toHaveCount(3)
  await list.getByRole('button', { name: 'Enable' }).click()
  await expect(list.getByText('3 segments enabled.')).toBeVisible()
  await expect(list.getByRole('listitem').filter({ hasText: 'disabled' })).toHaveCount(0)
  await list.getByRole('checkbox', { name: /Select The lamp/ }).click()
  await list.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 2 segments?' })
  await expect(dialog).toContainText('child chunks')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(list.getByText('2 segments deleted.')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await list.getByRole('checkbox', { name: 'Select all 2 segments' }).click()
  await expect(list.getByText('2 selected')).toBeVisible()
  await expectAccessible(page)
})

test('the chunk browser is walked with the keyboard', async ({ knowledge }) => {
  const { page } = knowledge
  await openParts(knowledge, 'Keys')
  const heading = (position: number) => page.getByRole('heading', { name: `Segment ${position}`, exact: true })
  await page.keyboard.press('e')
  const content = page.getByRole('textbox', { name: 'content' })
  await expect(content, 'the segment that is shown is edited').toHaveValue(/seat is cold/)
  await page.keyboard.press('Escape')
  await expect(content).toBeHidden()
  for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
  await expect(heading(2)).toBeVisible()
  await page.keyboard.press('x')
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+X')
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('2 selected')).toBeHidden()
  await page.keyboard.press('k')
  await page.keyboard.press('e')
  await expect(content, 'the text can be written at once').toBeFocused()
  await content.press('Control+End')
  await page.keyboard.type(' It glows.')
  await page.keyboard.press('Escape')
  await expect(content).toBeHidden()
  const lamp = page.getByRole('region', { name: 'Segments' }).getByRole('listitem').filter({ hasText: 'The lamp' })
  await expect(lamp).toContainText('not saved')
  await page.keyboard.press('e')
  await expect(content).toHaveValue('The lamp is warm. It glows.')
  await content.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Segment 2' })).toContainText('It glows.')
  await expect(lamp).not.toContainText('not saved')
})

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

test('after a parent is saved its children with the old text are named, edited, regenerated or kept', async ({
  knowledge,
}) => {
  const { page } = knowledge
  await openParts(knowledge, 'Stale')
  await page.getByRole('button', { name: 'Edit segment' }).click()
  await page.getByRole('textbox', { name: 'content' }).fill('The seat is warm.\nThe seat is of brass.')
  await page.getByRole('button', { name: 'Save segment' }).click()
  const note = page.getByRole('status', { name: 'Child chunks with the old text' })
  await expect(note).toContainText('1 child chunk still has the old text.')
  await expect(page.getByText(/Covered/), 'four letters of 29 are other ones').toContainText(/8\d(\.\d)? %/)
  await note.getByRole('button', { name: 'Edit 1' }).click()
  await expect(page.getByRole('textbox', { name: 'content' })).toHaveValue('The seat is cold.')
  await page.reload()
  await expect(note, 'it waits for a decision').toBeVisible()
  await expectAccessible(page)
  await note.getByRole('button', { name: 'Regenerate' }).click()
  const confirm = page.getByRole('dialog')
  await expect(confirm.getByRole('listitem').first()).toContainText('Child chunk 1: “The seat is cold.”')
  await expect(confirm).toContainText('The texts that were saved from this console')
  await confirm.getByRole('button', { name: 'Regenerate' }).click()
  await expect(note).toBeHidden()
  await expect(page.getByText('Covered 100 %')).toBeVisible()
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
