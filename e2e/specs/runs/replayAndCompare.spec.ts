import type { Page } from '@playwright/test'
import { askQuestion } from '#support/chatPage.ts'
import { expect, test } from '#support/fixtures.ts'

const QUESTION = 'What happens to my run when I close the tab?'
const EDITED = 'What happens to my run when the server restarts?'

test('a person replays a run with edits and sees what has changed', async ({ signedInPage, loupe }) => {
  await signedInPage.goto(`${loupe.url}/chat`)
  await askQuestion(signedInPage, QUESTION)
  await expect(signedInPage.getByRole('log').getByRole('article').last()).toContainText('first token')

  await signedInPage.goto(`${loupe.url}/runs`)
  await signedInPage.getByRole('link', { name: QUESTION }).click()
  await expect(resultRegion(signedInPage)).toContainText('first token')
  await expect(signedInPage.getByRole('region', { name: 'Question' })).toContainText(QUESTION)
  const parent = getRunId(signedInPage)

  await signedInPage.getByRole('link', { name: 'Replay with edits' }).click()
  const form = signedInPage.getByRole('form', { name: 'Replay with edits' })
  const runs = await countRuns(signedInPage, loupe.url)
  await form.getByRole('textbox', { name: 'Question' }).fill(EDITED)
  await form.getByRole('combobox', { name: 'Detail' }).selectOption('long')
  await expect(form.locator('[data-changed]')).toHaveCount(2)
  await signedInPage.reload()
  expect(await countRuns(signedInPage, loupe.url), 'nothing is sent by itself').toBe(runs)
  await expect(form.getByRole('textbox', { name: 'Question' })).toHaveValue(EDITED)
  await expect(form.locator('[data-changed]')).toHaveCount(2)
  await form.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => getRunId(signedInPage)).not.toBe(parent)
  await expect(resultRegion(signedInPage)).toContainText('first token')
  await expect(signedInPage.getByRole('region', { name: 'Related runs' })).toContainText(QUESTION)

  await signedInPage.getByRole('link', { name: 'Compare with parent' }).click()
  await expect(signedInPage).toHaveURL(new RegExp(`with=${parent}`))
  const question = signedInPage.getByRole('region', { name: 'Question' }).first()
  await expect(question.locator('ins', { hasText: 'server restarts' }).first()).toBeVisible()
  await expect(question.locator('del', { hasText: 'tab' }).first()).toBeVisible()
  await expect(signedInPage.getByRole('list', { name: 'Inputs' })).toContainText('detail')
  await expect(signedInPage.getByRole('table', { name: 'Statistics' })).toContainText('Prompt tokens')
  await expect(signedInPage.getByRole('list', { name: 'Sources' }).getByRole('listitem').first()).toBeVisible()
  await signedInPage.reload()
  await expect(signedInPage.getByRole('list', { name: 'Inputs' })).toContainText('long')

  await signedInPage.getByRole('link', { name: 'Choose another run' }).click()
  await signedInPage.getByRole('table', { name: 'Choose a run to compare with' }).getByRole('link').first().click()
  await expect(signedInPage).toHaveURL(new RegExp(`with=${parent}`))

  await signedInPage.goto(`${loupe.url}/runs/${parent}`)
  await expect(signedInPage.getByRole('region', { name: 'Related runs' })).toContainText('server restarts')
  await signedInPage.getByRole('button', { name: 'More', exact: true }).click()
  await signedInPage.getByRole('menuitem', { name: 'Open in Chat' }).click()
  await expect(signedInPage.getByRole('log')).toContainText(QUESTION)
})

test('an exported run opens again, read-only', async ({ signedInPage, loupe }) => {
  await signedInPage.goto(`${loupe.url}/chat`)
  await askQuestion(signedInPage, QUESTION)
  await expect(signedInPage.getByRole('log').getByRole('article').last()).toContainText('first token')
  await signedInPage.goto(`${loupe.url}/runs`)
  await signedInPage.getByRole('link', { name: QUESTION }).first().click()
  const download = signedInPage.waitForEvent('download')
  await signedInPage.getByRole('button', { name: 'More', exact: true }).click()
  await signedInPage.getByRole('menuitem', { name: 'Export as a file' }).click()
  const path = await (await download).path()
  await signedInPage.goto(`${loupe.url}/runs`)
  await signedInPage.getByRole('link', { name: 'Open a run file' }).click()
  await expect(signedInPage).toHaveURL(/\/runs\/open/)
  await signedInPage.locator('input[type=file]').setInputFiles(path)
  await expect(signedInPage.getByRole('main')).toContainText(QUESTION)
  await expect(signedInPage.getByRole('main')).toContainText('first token')
})

test('a run that this console does not have is said so', async ({ signedInPage, loupe }) => {
  for (const id of ['99999999-9999-4999-8999-999999999999', 'no-id']) {
    await signedInPage.goto(`${loupe.url}/runs/${id}`)
    await expect(signedInPage.getByText(`Run ${id} was not found in this console.`)).toBeVisible()
  }
})

const resultRegion = (page: Page) => page.getByRole('tabpanel', { name: 'Result' })
const getRunId = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? ''
const countRuns = async (page: Page, url: string) =>
  ((await (await page.request.get(`${url}/api/runs`)).json()) as { total: number }).total
