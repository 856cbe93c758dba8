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
