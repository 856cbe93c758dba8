import type { Page } from '@playwright/test'
import { message, messageEnd, newIds, openStream, refuse } from './faults/platform.ts'
import { expect, test } from './fixtures.ts'

const QUESTION = 'What happens to a run when I close the tab?'

test('three apps are asked one question three times, and the board is the same for whoever opens it', async ({
  desk,
  loupe,
}) => {
  await desk.goto(`${loupe.url}/chat`)
  await desk.getByRole('link', { name: 'Compare', exact: true }).click()
  await newBoard(desk, 'Three apps')
  for (const app of ['Handbook assistant (chat)', 'Summarise a text (completion)', 'Answer or say so (workflow)'])
    await addApp(desk, app)
  await desk.getByRole('textbox', { name: 'Question' }).fill(QUESTION)
  await desk.getByRole('combobox', { name: 'Rounds' }).selectOption('3')
  await desk.getByRole('button', { name: 'Run 3 cells' }).click()
  const figures = desk.getByRole('table', { name: 'Figures' })
  for (const letter of ['A', 'B', 'C'])
    await expect(figures.getByRole('row', { name: new RegExp(`^${letter} `) })).toContainText('3 of 3all the same')
  await expect(cell(desk, 'A')).toContainText('The documents say')
  await expect(cell(desk, 'A')).toContainText('baseline')
  await expect(cell(desk, 'C').getByRole('treegrid')).toContainText('Look it up')
  await expect(figures.getByRole('row', { name: /^B / })).toContainText(/0 gained, \d+ lost/)

  await desk.getByRole('textbox', { name: 'Question' }).fill('Something else.')
  await desk.getByRole('button', { name: 'Add rounds' }).click()
  await desk.getByRole('menuitem', { name: '1 more round' }).click()
  for (const letter of ['A', 'B', 'C'])
    await expect(figures.getByRole('row', { name: new RegExp(`^${letter} `) })).toContainText('4 of 4all the same')
  const kept = desk.waitForResponse(
    (response) => response.request().method() !== 'GET' && Boolean(response.request().postData()?.includes(QUESTION)),
  )
  await desk.getByRole('textbox', { name: 'Question' }).fill(QUESTION)
  await kept

  await desk.getByText('Differences').click()
  await expect(cell(desk, 'B').locator('del').first()).toBeVisible()
  await expect(cell(desk, 'C')).toContainText('The same, to the last character.')
  await desk.getByRole('combobox', { name: 'Round', exact: true }).selectOption('Round 1')
  await expect(desk).toHaveURL(/round=1/)
  await desk.reload()
  await expect(cell(desk, 'B').locator('del').first()).toBeVisible()
  await expect(figures.getByRole('row', { name: /^A / })).toContainText('4 of 4')
  await expect(desk.getByRole('textbox', { name: 'Question' })).toHaveValue(QUESTION)

  await cell(desk, 'B').getByRole('button', { name: 'Make B the baseline' }).click()
  await expect(cell(desk, 'B')).toContainText('baseline')
  const other = await desk.context().newPage()
  await expect(async () => {
    await other.goto(desk.url())
    await expect(cell(other, 'B')).toContainText('baseline', { timeout: 5_000 })
  }).toPass()
  await expect(cell(other, 'A').locator('ins').first()).toBeVisible()
  await other.close()

  await desk.goto(`${loupe.url}/compare`)
  await desk.getByRole('button', { name: 'More for Three apps' }).click()
  await desk.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(desk.getByRole('link', { name: 'Copy of Three apps' })).toBeVisible()
  await desk.getByRole('button', { name: 'More for Copy of Three apps' }).click()
  await desk
    .getByRole('menu', { name: 'More for Copy of Three apps' })
    .getByRole('menuitem', { name: 'Rename' })
    .click()
  await desk.getByRole('textbox', { name: 'Name of the board' }).last().fill('Another one')
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByRole('link', { name: 'Another one' }).click()
  await expect(cell(desk, 'A')).toContainText('The documents say')
  await desk.getByRole('button', { name: 'More for Another one' }).click()
  await desk.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(desk.getByRole('group', { name: 'Delete' })).toContainText('Its 12 runs stay in Runs.')
  await desk.getByRole('button', { name: 'Delete the board' }).click()
  await expect(desk.getByRole('link', { name: 'Three apps' })).toBeVisible()
  await expect(desk.getByRole('link', { name: 'Another one' })).toBeHidden()
})

test('cells stream side by side, one is refused in its place, and a closed page loses none of it', async ({
  desk,
  faults,
  loupe,
}) => {
  const held: (() => void)[] = []
  faults.platform.script = (seen, response) => {
    if (!seen.path.endsWith('/chat-messages'))
      return refuse(response, 404, { code: 'not_found', message: 'not here', status: 404 })
    const { query } = JSON.parse(seen.body) as { query: string }
    if (query === 'Refuse me.')
      return refuse(response, 429, { code: 'too_many_requests', message: 'Come back later.', status: 429 })
    const ids = newIds()
    openStream(response)
    response.write(message(ids, `Of ${query} this much`))
    held.push(() => {
      response.write(message(ids, ' and the rest.'))
      response.end(messageEnd(ids, { usage: { total_tokens: 7, currency: 'USD', total_price: '0.5' } }))
    })
  }
  await desk.goto(`${loupe.url}/compare?workspace=${faults.id}`)
  await newBoard(desk, 'Side by side')
  for (const query of ['Tea', 'Coffee', 'Refuse me.']) {
    await addApp(desk, 'Scripted app (chat)')
    const letter = 'ABC'[['Tea', 'Coffee', 'Refuse me.'].indexOf(query)] ?? ''
    await cell(desk, letter).getByRole('button', { name: 'Ask it something of its own' }).click()
    await cell(desk, letter).getByRole('textbox', { name: 'Question' }).fill(query)
  }
  await desk.getByRole('button', { name: 'Run 3 cells' }).click()
  await expect(cell(desk, 'A')).toContainText('Of Tea this much')
  await expect(cell(desk, 'B')).toContainText('Of Coffee this much')
  await expect(cell(desk, 'C').getByRole('alert')).toContainText('Come back later.')
  await expect(cell(desk, 'C').getByRole('alert')).toContainText('429')

  const address = desk.url()
  await desk.goto('about:blank')
  for (const release of held) release()
  await desk.goto(address)
  await expect(cell(desk, 'A')).toContainText('Of Tea this much and the rest.')
  await expect(cell(desk, 'B')).toContainText('Of Coffee this much and the rest.')
  await expect(cell(desk, 'C').getByRole('alert')).toContainText('Come back later.')
  await expect(desk.getByRole('table', { name: 'Figures' }).getByRole('row', { name: /^A / })).toContainText('$0.5')
  await expect(desk.getByRole('table', { name: 'Figures' }).getByRole('row', { name: /^C / })).toContainText('0 of 1')
  expect(faults.platform.seen.filter(({ path }) => path.endsWith('/chat-messages'))).toHaveLength(3)
})

test('a finished run is put on a board, and another app is asked the same', async ({ desk, loupe }) => {
  await desk.goto(`${loupe.url}/chat`)
  await desk.getByRole('textbox', { name: 'Your question' }).fill(QUESTION)
  await desk.keyboard.press('Control+Enter')
  await expect(desk.getByRole('log').getByRole('article').last()).toContainText('first token')
  await desk.goto(`${loupe.url}/runs`)
  await desk.getByRole('link', { name: QUESTION }).first().click()
  await desk.getByRole('link', { name: 'Add to a board' }).click()
  await desk.getByRole('button', { name: 'New board' }).click()
  await expect(cell(desk, 'A')).toContainText('The documents say')
  await expect(cell(desk, 'A')).toContainText('finished run')
  await addApp(desk, 'Answer or say so (workflow)')
  await expect(desk.getByRole('textbox', { name: 'Question' })).toHaveValue(QUESTION)
  await desk.getByRole('textbox', { name: 'Question' }).press('Control+Enter')
  await expect(desk.getByRole('table', { name: 'Figures' }).getByRole('row', { name: /^B / })).toContainText('0 lost')
  await cell(desk, 'B').getByRole('button', { name: 'Inspect' }).click()
  await expect(desk).toHaveURL(/run=/)
  await expect(desk.getByRole('tab', { name: /Frames/ })).toBeVisible()
})

const cell = (page: Page, letter: string) => page.getByRole('region', { name: `Cell ${letter}` })

async function newBoard(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name of the board' }).fill(name)
  await page.getByRole('button', { name: 'New board' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

async function addApp(page: Page, app: string): Promise<void> {
  const cells = page.getByRole('region', { name: /^Cell / })
  const before = await cells.count()
  await page.getByRole('combobox', { name: 'Add an app' }).selectOption(app)
  await expect(cells).toHaveCount(before + 1)
}
