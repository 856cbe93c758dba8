import type { Page } from '@playwright/test'
import { expect, test } from '#support/fixtures.ts'

const QUESTION = 'What happens to a run when I close the tab?'

test('three apps are asked one question three times, and the board is the same for whoever opens it', async ({
  signedInPage,
  loupe,
}) => {
  await signedInPage.goto(`${loupe.url}/chat`)
  await signedInPage.getByRole('link', { name: 'Compare', exact: true }).click()
  await createBoard(signedInPage, 'Three apps')
  await addApp(signedInPage, 'Handbook assistant (chat)')
  await expect(signedInPage.getByRole('region', { name: 'Cells' })).toBeFocused()
  for (const app of ['Summarise a text (completion)', 'Answer or say so (workflow)']) await addApp(signedInPage, app)
  await signedInPage.getByRole('textbox', { name: 'Question' }).fill(QUESTION)
  await signedInPage.getByRole('combobox', { name: 'Rounds' }).selectOption('3')
  await signedInPage.getByRole('button', { name: 'Run 3 cells' }).click()
  const figures = signedInPage.getByRole('table', { name: 'Statistics' })
  for (const letter of ['A', 'B', 'C'])
    await expect(figures.getByRole('row', { name: new RegExp(`^${letter} `) })).toContainText('3 of 3all identical')
  await expect(getCell(signedInPage, 'A')).toContainText('The documents say')
  await expect(getCell(signedInPage, 'A')).toContainText('baseline')
  await expect(getCell(signedInPage, 'C').getByRole('treegrid')).toContainText('Look it up')
  await expect(figures.getByRole('row', { name: /^B / })).toContainText(/0 gained, \d+ lost/)

  await signedInPage.getByRole('textbox', { name: 'Question' }).fill('Something else.')
  await signedInPage.getByRole('button', { name: 'Add rounds' }).click()
  await signedInPage.getByRole('menuitem', { name: '1 more round' }).click()
  for (const letter of ['A', 'B', 'C'])
    await expect(figures.getByRole('row', { name: new RegExp(`^${letter} `) })).toContainText('4 of 4all identical')
  const kept = signedInPage.waitForResponse(
    (response) => response.request().method() !== 'GET' && Boolean(response.request().postData()?.includes(QUESTION)),
  )
  await signedInPage.getByRole('textbox', { name: 'Question' }).fill(QUESTION)
  await kept

  await signedInPage.getByText('Differences').click()
  await expect(getCell(signedInPage, 'B').locator('del').first()).toBeVisible()
  await expect(getCell(signedInPage, 'C')).toContainText('No differences.')
  await signedInPage.getByRole('combobox', { name: 'Round', exact: true }).selectOption('Round 1')
  await expect(signedInPage).toHaveURL(/round=1/)
  await signedInPage.reload()
  await expect(getCell(signedInPage, 'B').locator('del').first()).toBeVisible()
  await expect(figures.getByRole('row', { name: /^A / })).toContainText('4 of 4')
  await expect(signedInPage.getByRole('textbox', { name: 'Question' })).toHaveValue(QUESTION)

  await getCell(signedInPage, 'B').getByRole('button', { name: 'Set B as the baseline' }).click()
  await expect(getCell(signedInPage, 'B')).toContainText('baseline')
  const other = await signedInPage.context().newPage()
  await expect(async () => {
    await other.goto(signedInPage.url())
    await expect(getCell(other, 'B')).toContainText('baseline', { timeout: 5_000 })
  }).toPass()
  await expect(getCell(other, 'A').locator('ins').first()).toBeVisible()
  await other.close()

  await signedInPage.goto(`${loupe.url}/compare`)
  await signedInPage.getByRole('button', { name: 'More for Three apps' }).click()
  await signedInPage.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(signedInPage.getByRole('link', { name: 'Copy of Three apps' })).toBeVisible()
  await signedInPage.getByRole('button', { name: 'More for Copy of Three apps' }).click()
  await signedInPage
    .getByRole('menu', { name: 'More for Copy of Three apps' })
    .getByRole('menuitem', { name: 'Rename' })
    .click()
  await signedInPage.getByRole('textbox', { name: 'Board name' }).last().fill('Another one')
  await signedInPage.getByRole('button', { name: 'Save' }).click()
  await signedInPage.getByRole('link', { name: 'Another one' }).click()
  await expect(getCell(signedInPage, 'A')).toContainText('The documents say')
  await signedInPage.getByRole('button', { name: 'More for Another one' }).click()
  await signedInPage.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(signedInPage.getByRole('dialog', { name: 'Delete “Another one”' })).toContainText(
    'Its 12 runs stay in Runs.',
  )
  await signedInPage.getByRole('button', { name: 'Delete board' }).click()
  await expect(signedInPage.getByRole('link', { name: 'Three apps' })).toBeVisible()
  await expect(signedInPage.getByRole('link', { name: 'Another one' })).toBeHidden()
})

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

async function createBoard(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Board name' }).fill(name)
  await page.getByRole('button', { name: 'New board' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

async function addApp(page: Page, app: string): Promise<void> {
  const cells = page.getByRole('region', { name: /^Cell / })
  const before = await cells.count()
  await page.getByRole('combobox', { name: 'Add an app' }).selectOption(app)
  await expect(cells).toHaveCount(before + 1)
}
