import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible, writeDocument } from '#support/documentFixtures.ts'
import { expect, PLATFORM_VARIANTS, test } from '#support/knowledgeFixtures.ts'
import { findRow, openDataset } from '#support/datasetFixtures.ts'

const openTagEditor = async (page: Page, dataset: string) => {
  await findRow(page, dataset)
    .getByRole('button', { name: `Edit tags of ${dataset}` })
    .click()
  return page.getByRole('dialog')
}

test('tags are created, chosen, renamed, filtered by and deleted in place', async ({ knowledge }) => {
  const { page } = knowledge
  for (const name of ['Teas', 'Coffees']) await openDataset(knowledge, name)
  const [teas, coffees] = [knowledge.toDatasetName('Teas'), knowledge.toDatasetName('Coffees')]
  await knowledge.open('/datasets')
  const editor = await openTagEditor(page, teas)
  await editor.getByLabel('Find or create a tag').fill('leaf')
  await editor.getByRole('button', { name: 'Create “leaf”' }).click()
  await expect(editor.getByRole('checkbox', { name: 'leaf' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(editor).toHaveCount(0)
  await expect(findRow(page, teas).getByRole('button', { name: 'leaf', exact: true })).toBeVisible()

  const second = await openTagEditor(page, coffees)
  await second.getByRole('checkbox', { name: 'leaf' }).check()
  await expect(second.getByText('2 datasets')).toBeVisible()
  await second.getByRole('button', { name: 'Rename “leaf”' }).click()
  await second.getByLabel('New name of “leaf”').fill('drinks')
  await page.keyboard.press('Enter')
  await expect(second.getByRole('checkbox', { name: 'drinks' })).toBeChecked()
  await expectAccessible(page)
  await second.getByRole('checkbox', { name: 'drinks' }).uncheck()
  await expect(second.getByText('1 dataset', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')

  await findRow(page, teas).getByRole('button', { name: 'drinks' }).click()
  await expect(page).toHaveURL(/tag=/)
  await expect(findRow(page, coffees)).toHaveCount(0)
  await expect(page.getByLabel('Filter by tag')).toContainText('drinks (1)')
  await page.getByLabel('Filter by tag').selectOption('')
  await expect(findRow(page, coffees)).toHaveCount(1)

  const last = await openTagEditor(page, teas)
  await last.getByRole('button', { name: 'Delete the tag “drinks”' }).click()
  const confirm = page.getByRole('dialog', { name: 'Delete the tag “drinks”?' })
  await expect(confirm).toContainText('It is removed from 1 dataset.')
  await expect(confirm.getByRole('button', { name: 'Keep the tag' })).toBeFocused()
  await confirm.getByRole('button', { name: 'Delete and untag 1 dataset' }).click()
  await expect(findRow(page, teas).getByRole('button', { name: 'drinks' })).toHaveCount(0)
})

test('metadata fields are managed in the settings, and values set for one document and for several', async ({
  knowledge,
}) => {
  const { page } = knowledge
  const { dataset_id } = await writeDocument(knowledge, 'Assam', 'Assam is a black tea.')
  await knowledge.post(`/datasets/${dataset_id}/document/create-by-text`, {
    name: 'Sencha',
    text: 'Sencha is a green tea.',
    indexing_technique: 'economy',
    process_rule: { mode: 'automatic' },
  })
  await knowledge.open(`/datasets/${dataset_id}/settings`)
  const section = page.getByRole('region', { name: 'Metadata' })
  for (const [name, type] of [
    ['origin', 'string'],
    ['year', 'number'],
    ['harvested', 'time'],
  ] as const) {
    await section.getByLabel('Name of the new field').fill(name)
    await section.getByLabel('Type of the new field').selectOption(type)
    await section.getByRole('button', { name: 'Add field' }).click()
    await expect(section.getByRole('listitem').filter({ hasText: name })).toContainText('no values')
  }
  await section.getByRole('button', { name: 'Rename the field “origin”' }).click()
  await section.getByLabel('New name of the field “origin”').fill('region')
  await page.keyboard.press('Enter')
  await expect(section.getByRole('listitem').filter({ hasText: 'region' })).toBeVisible()
  await section.getByLabel('Name of the new field').fill('year')
  await section.getByRole('button', { name: 'Add field' }).click()
  await expect(section.getByText('Metadata name already exists.', { exact: true })).toBeVisible()
  await section.getByRole('switch', { name: 'Built-in fields' }).click()
  await expect(section.getByRole('switch', { name: 'Built-in fields' })).toBeChecked()
  await expectAccessible(page)

  await knowledge.open(`/datasets/${dataset_id}`)
  await expect(findRow(page, 'Sencha')).toContainText('available')
  await findRow(page, 'Assam').getByRole('button', { name: 'More for' }).click()
  await page.getByRole('menuitem', { name: 'Edit metadata' }).click()
  const one = page.getByRole('dialog', { name: /Metadata of/ })
  await one.getByLabel('region').fill('India')
  await one.getByLabel('year').fill('2021')
  await one.getByLabel('harvested').fill('4 May')
  await expect(one.getByText('Write a date as')).toBeVisible()
  await expect(one.getByRole('button', { name: 'Save' })).toBeDisabled()
  await one.getByLabel('harvested').fill('4 May 2021, 10:30')
  await expect(one.getByText('uploader')).toBeVisible()
  await one.getByRole('button', { name: 'Save' }).click()
  await expect(one).toHaveCount(0)

  await page.getByRole('checkbox', { name: /^Select .*Assam/ }).check()
  // The table draws its heads a moment after the click.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await expect(page.getByText('2 documents selected')).toBeVisible()
  await page.getByRole('button', { name: 'Set metadata' }).click()
  const many = page.getByRole('dialog', { name: 'Metadata of 2 documents' })
  await expect(many.getByText('Different values, left unchanged.')).toHaveCount(3)
  await many.getByLabel('year').fill('2022')
  await many.getByRole('button', { name: 'Save' }).click()
  await expect(many).toHaveCount(0)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as zip' }).click()
  const archive = await readFile(await (await saved).path())
  expect(archive.subarray(0, 2).toString()).toBe('PK')
  expect(archive.toString('latin1')).toContain('Sencha.txt')

  await knowledge.open(`/datasets/${dataset_id}/retrieval`)
  const results = page.getByRole('region', { name: 'Results, best first' })
  await page.getByRole('textbox', { name: 'Question' }).fill('Which tea is it?')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(results.getByRole('listitem').filter({ hasText: 'Sencha' })).not.toHaveCount(0)
  await page.getByRole('button', { name: 'Add metadata condition' }).click()
  await page.getByLabel('Field of condition 1').selectOption('region')
  await page.getByLabel('Value of condition 1').fill('India')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(results.getByRole('listitem').filter({ hasText: 'Sencha' })).toHaveCount(0)
  await expect(results.getByRole('listitem').filter({ hasText: 'Assam' })).not.toHaveCount(0)
  await expectAccessible(page)

  await knowledge.open(`/datasets/${dataset_id}`)
  await findRow(page, 'Assam').getByRole('link').click()
  const facts = page.getByLabel('Details')
  await expect(facts).toContainText('India')
  await expect(facts).toContainText('2022')
  await expect(facts).toContainText('4 May 2021, 10:30')
  await page.getByRole('button', { name: 'More actions on this document' }).click()
  const file = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download' }).click()
  expect((await readFile(await (await file).path())).toString()).toBe('Assam is a black tea.')
})

for (const offered of PLATFORM_VARIANTS)
  test.describe(offered, () => {
    test.use({ platformVariant: offered })

    test('a segment is added from its list, and many from lines, where the platform offers it', async ({
      knowledge,
    }) => {
      const { page, hasOptionalOperations } = knowledge
      const { dataset_id, document_id } = await writeDocument(knowledge, 'Kettles', 'A kettle boils water.')
      await knowledge.open(`/datasets/${dataset_id}/documents/${document_id}`)
      await expect(page.getByRole('heading', { name: /Kettles/ })).toBeVisible()
      const add = page.getByRole('button', { name: 'Add segment' })
      if (!hasOptionalOperations) {
        await expect(page.getByRole('heading', { name: 'Segments seen by this console' })).toBeVisible()
        await expect(add).toHaveCount(0)
        await knowledge.open('/datasets')
        await expect(page.getByRole('button', { name: /^Edit tags/ })).toHaveCount(0)
        return
      }
      await add.click()
      const dialog = page.getByRole('dialog', { name: 'Add segment' })
      await dialog.getByRole('button', { name: 'Add 1 segment' }).click()
      await expect(dialog.getByText('At least 1 character is required.')).toBeVisible()
      await dialog.getByLabel('content').fill('A gooseneck kettle pours slowly.')
      await dialog.getByLabel('keywords').fill('gooseneck, pour')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await add.click()
      await expect(dialog.getByLabel('content')).toHaveValue('A gooseneck kettle pours slowly.')
      await dialog.getByRole('button', { name: 'Add 1 segment' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(page).toHaveURL(/segment=/)
      await expect(page.getByText('gooseneck', { exact: true })).toBeVisible()

      await add.click()
      await dialog.getByText('One per line').click()
      await dialog.getByLabel('Segments').fill('Iron kettles are heavy.\n\nGlass kettles are clear.')
      await dialog.getByRole('button', { name: 'Add 2 segments' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('listitem').filter({ hasText: 'Glass kettles are clear.' })).toBeVisible()
    })
  })
