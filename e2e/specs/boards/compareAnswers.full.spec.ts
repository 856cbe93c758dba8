import type { Page } from '@playwright/test'
import {
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
} from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

const QUESTION = 'What happens to a run when I close the tab?'

test('cells stream side by side, one is refused in its place, and a closed page loses none of it', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  const held: (() => void)[] = []
  faultyWorkspace.platform.script = (seen, response) => {
    if (!seen.path.endsWith('/chat-messages'))
      return sendError(response, 404, { code: 'not_found', message: 'not here', status: 404 })
    const { query } = JSON.parse(seen.body) as { query: string }
    if (query === 'Refuse me.')
      return sendError(response, 429, { code: 'too_many_requests', message: 'Come back later.', status: 429 })
    const ids = createAnswerIds()
    openStream(response)
    response.write(toMessageBlock(ids, `Of ${query} this much`))
    held.push(() => {
      response.write(toMessageBlock(ids, ' and the rest.'))
      response.end(toMessageEndBlock(ids, { usage: { total_tokens: 7, currency: 'USD', total_price: '0.5' } }))
    })
  }
  await signedInPage.goto(`${loupe.url}/compare?workspace=${faultyWorkspace.id}`)
  await expect(findEmptyState(signedInPage, 'No boards yet').getByRole('button', { name: 'New board' })).toBeVisible()
  await createBoard(signedInPage, 'Side by side')
  await expect(
    findEmptyState(signedInPage, 'Nothing to compare yet.').getByRole('combobox', { name: 'Add an app' }),
  ).toBeVisible()
  for (const query of ['Tea', 'Coffee', 'Refuse me.']) {
    await addApp(signedInPage, 'Scripted app (chat)')
    const letter = 'ABC'[['Tea', 'Coffee', 'Refuse me.'].indexOf(query)] ?? ''
    await getCell(signedInPage, letter).getByRole('button', { name: 'Use a different request' }).click()
    await getCell(signedInPage, letter).getByRole('textbox', { name: 'Question' }).fill(query)
  }
  await signedInPage.getByRole('button', { name: 'Run 3 cells' }).click()
  await expect(getCell(signedInPage, 'A')).toContainText('Of Tea this much')
  await expect(getCell(signedInPage, 'B')).toContainText('Of Coffee this much')
  await expect(getCell(signedInPage, 'C').getByRole('alert')).toContainText('Come back later.')
  await expect(getCell(signedInPage, 'C').getByRole('alert')).toContainText('429')

  const address = signedInPage.url()
  await signedInPage.goto('about:blank')
  for (const release of held) release()
  await signedInPage.goto(address)
  await expect(getCell(signedInPage, 'A')).toContainText('Of Tea this much and the rest.')
  await expect(getCell(signedInPage, 'B')).toContainText('Of Coffee this much and the rest.')
  await expect(getCell(signedInPage, 'C').getByRole('alert')).toContainText('Come back later.')
  await expect(signedInPage.getByRole('table', { name: 'Statistics' }).getByRole('row', { name: /^A / })).toContainText(
    '$0.5',
  )
  await expect(signedInPage.getByRole('table', { name: 'Statistics' }).getByRole('row', { name: /^C / })).toContainText(
    '0 of 1',
  )
  expect(faultyWorkspace.platform.requests.filter(({ path }) => path.endsWith('/chat-messages'))).toHaveLength(3)
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

const findEmptyState = (page: Page, title: string) => page.getByText(title, { exact: true }).locator('..')

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
