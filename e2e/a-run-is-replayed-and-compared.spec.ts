import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const QUESTION = 'What happens to a run when I close the tab?'
const EDITED = 'What happens to a run when the server restarts?'

test('a person replays a run with edits and sees what has changed', async ({ desk, loupe }) => {
  await desk.goto(`${loupe.url}/chat`)
  await desk.getByRole('textbox', { name: 'Your question' }).fill(QUESTION)
  await desk.keyboard.press('Control+Enter')
  await expect(desk.getByRole('log').getByRole('article').last()).toContainText('first token')

  await desk.goto(`${loupe.url}/runs`)
  await desk.getByRole('link', { name: QUESTION }).click()
  await expect(result(desk)).toContainText('first token')
  await expect(desk.getByRole('region', { name: 'Question' })).toContainText(QUESTION)
  const parent = runOf(desk)

  await desk.getByRole('link', { name: 'Replay with edits' }).click()
  const form = desk.getByRole('form', { name: 'Replay with edits' })
  const runs = await count(desk, loupe.url)
  await form.getByRole('textbox', { name: 'Question' }).fill(EDITED)
  await form.getByRole('combobox', { name: 'Detail' }).selectOption('long')
  await expect(form.locator('[data-changed]')).toHaveCount(2)
  await desk.reload()
  expect(await count(desk, loupe.url), 'nothing is sent by itself').toBe(runs)
  await expect(form.getByRole('textbox', { name: 'Question' })).toHaveValue(EDITED)
  await expect(form.locator('[data-changed]')).toHaveCount(2)
  await form.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => runOf(desk)).not.toBe(parent)
  await expect(result(desk)).toContainText('first token')
  await expect(desk.getByRole('region', { name: 'Made from each other' })).toContainText(QUESTION)

  await desk.getByRole('link', { name: 'Compare with parent' }).click()
  await expect(desk).toHaveURL(new RegExp(`with=${parent}`))
  const question = desk.getByRole('region', { name: 'Question' }).first()
  await expect(question.locator('ins', { hasText: 'server restarts' }).first()).toBeVisible()
  await expect(question.locator('del', { hasText: 'tab' }).first()).toBeVisible()
  await expect(desk.getByRole('list', { name: 'Inputs' })).toContainText('detail')
  await expect(desk.getByRole('table', { name: 'Figures' })).toContainText('Prompt tokens')
  await expect(desk.getByRole('list', { name: 'Sources' }).getByRole('listitem').first()).toBeVisible()
  await desk.reload()
  await expect(desk.getByRole('list', { name: 'Inputs' })).toContainText('long')

  await desk.getByRole('link', { name: 'Choose another run' }).click()
  await desk.getByRole('table', { name: 'Choose the run to compare with' }).getByRole('link').first().click()
  await expect(desk).toHaveURL(new RegExp(`with=${parent}`))

  await desk.goto(`${loupe.url}/runs/${parent}`)
  await expect(desk.getByRole('region', { name: 'Made from each other' })).toContainText('server restarts')
  await desk.getByRole('link', { name: 'Open in Chat' }).click()
  await expect(desk.getByRole('log')).toContainText(QUESTION)
})

test('an exported run opens again, read-only', async ({ desk, loupe }) => {
  await desk.goto(`${loupe.url}/chat`)
  await desk.getByRole('textbox', { name: 'Your question' }).fill(QUESTION)
  await desk.keyboard.press('Control+Enter')
  await expect(desk.getByRole('log').getByRole('article').last()).toContainText('first token')
  await desk.goto(`${loupe.url}/runs`)
  await desk.getByRole('link', { name: QUESTION }).first().click()
  const download = desk.waitForEvent('download')
  await desk.getByRole('button', { name: 'Export as a file' }).click()
  const path = await (await download).path()
  await desk.goto(`${loupe.url}/runs`)
  await desk.getByRole('link', { name: 'Open a run file' }).click()
  await expect(desk).toHaveURL(/\/runs\/open/)
  await desk.locator('input[type=file]').setInputFiles(path)
  await expect(desk.getByRole('main')).toContainText(QUESTION)
  await expect(desk.getByRole('main')).toContainText('first token')
})

test('a run that this console does not have is said so', async ({ desk, loupe }) => {
  for (const id of ['99999999-9999-4999-8999-999999999999', 'no-id']) {
    await desk.goto(`${loupe.url}/runs/${id}`)
    await expect(desk.getByText(`This console has no run ${id}.`)).toBeVisible()
  }
})

const result = (page: Page) => page.getByRole('region', { name: 'Result' })
const runOf = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? ''
const count = async (page: Page, url: string) =>
  ((await (await page.request.get(`${url}/api/runs`)).json()) as { total: number }).total
