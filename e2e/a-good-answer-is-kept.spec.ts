import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from './fixtures.ts'

test('a person turns an answer into an annotation, which then answers; a table of others is imported', async ({
  desk,
  loupe,
}) => {
  test.setTimeout(240_000)
  await desk.goto(`${loupe.url}/chat`)
  await desk.getByRole('textbox', { name: 'Your question' }).fill('What is Loupe?')
  await desk.keyboard.press('Control+Enter')
  await desk.getByRole('button', { name: 'Annotate' }).click()
  const sheet = desk.getByRole('dialog', { name: 'Annotate this answer' })
  await expect(sheet.getByRole('textbox', { name: 'question' })).toHaveValue('What is Loupe?')
  await sheet.getByRole('textbox', { name: 'answer' }).fill('Loupe is the glass that shows every frame.')
  await expect(sheet.getByRole('group', { name: 'Changed from the answer that came' })).toBeVisible()
  await sheet.getByRole('button', { name: /Save/ }).click()
  await sheet.getByRole('link', { name: 'Open the annotations' }).click()
  await desk.getByRole('link', { name: 'What is Loupe?' }).click()
  await expect(desk.getByRole('link', { name: /^run / })).toHaveAttribute('href', /\/runs\//)
  await desk.getByRole('button', { name: 'Close' }).click()

  await desk.getByText('Annotation reply', { exact: true }).click()
  await desk.getByRole('button', { name: 'Enable' }).click()
  await expect(desk.getByText('completed')).toBeVisible()
  await expect(desk.getByText('It is on, by what the platform tells of the app.')).toBeVisible()
  await desk.getByRole('button', { name: 'Ask' }).click()
  await expect(desk.getByText('The stored answer came back.')).toBeVisible()
  const { violations } = await new AxeBuilder({ page: desk }).analyze()
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])

  await desk.getByText('Import', { exact: true }).click()
  const rows = Array.from({ length: 20 }, (_, index) => `Imported ${index + 1}?,"Yes, ${index + 1}."`)
  await desk.getByRole('textbox', { name: 'Or paste a table' }).fill(['question,answer', ...rows].join('\n'))
  await desk.getByRole('button', { name: 'Read what is pasted' }).click()
  await desk.getByRole('button', { name: 'Import 20 annotations' }).click()
  await expect(desk.getByText('20 of 20')).toBeVisible()
  await desk.goto(`${loupe.url}/annotations?q=Imported%2017`)
  await expect(desk.getByRole('link', { name: 'Imported 17?' })).toBeVisible()
})
