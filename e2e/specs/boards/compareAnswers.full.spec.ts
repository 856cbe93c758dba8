import type { Page } from '@playwright/test'
import { expect, test } from '#support/fixtures.ts'

const QUESTION = 'What happens to a run when I close the tab?'

test('a finished run is put on a board, and another app is asked the same', async ({ signedInPage, loupe }) => {
  await signedInPage.goto(`${loupe.url}/chat`)
  await signedInPage.getByRole('textbox', { name: 'Your question' }).fill(QUESTION)
  await signedInPage.keyboard.press('Control+Enter')
  await expect(signedInPage.getByRole('log').getByRole('article').last()).toContainText('first token')
  await signedInPage.goto(`${loupe.url}/runs`)
  await signedInPage.getByRole('link', { name: QUESTION }).first().click()
  await signedInPage.getByRole('button', { name: 'More', exact: true }).click()
  await signedInPage.getByRole('menuitem', { name: 'Add to a board' }).click()
  await signedInPage.getByRole('button', { name: 'New board' }).click()
  await expect(getCell(signedInPage, 'A')).toContainText('The documents say')
  await expect(getCell(signedInPage, 'A')).toContainText('finished run')
  await addApp(signedInPage, 'Answer or say so (workflow)')
  await expect(signedInPage.getByRole('textbox', { name: 'Question' })).toHaveValue(QUESTION)
  await signedInPage.getByRole('textbox', { name: 'Question' }).press('Control+Enter')
  await expect(signedInPage.getByRole('table', { name: 'Statistics' }).getByRole('row', { name: /^B / })).toContainText(
    '0 lost',
  )
  await getCell(signedInPage, 'B').getByRole('button', { name: 'More for B' }).click()
  await signedInPage.getByRole('menuitem', { name: 'Duplicate B with its own inputs' }).click()
  await expect(getCell(signedInPage, 'C')).toContainText('own request')
  await getCell(signedInPage, 'C').getByRole('button', { name: 'More for C' }).click()
  await signedInPage.getByRole('menuitem', { name: 'Remove C from the board' }).click()
  await expect(getCell(signedInPage, 'C')).toBeHidden()
  await getCell(signedInPage, 'B').getByRole('button', { name: 'Inspect' }).click()
  await expect(signedInPage).toHaveURL(/run=/)
  await expect(signedInPage.getByRole('tab', { name: /Frames/ })).toBeVisible()
})

const getCell = (page: Page, letter: string) => page.getByRole('region', { name: `Cell ${letter}` })

async function addApp(page: Page, app: string): Promise<void> {
  const cells = page.getByRole('region', { name: /^Cell / })
  const before = await cells.count()
  await page.getByRole('combobox', { name: 'Add an app' }).selectOption(app)
  await expect(cells).toHaveCount(before + 1)
}
