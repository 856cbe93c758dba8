import { randomUUID } from 'node:crypto'
import { ChatPlatform } from '#support/platforms/chatPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

const STOPPED = /Stopped by .+ after frame \d+\. What came is kept\./

test('a chat of the built-in platform that a person stops is stopped in chat, in Runs and on its page', async ({
  signedInPage,
  loupe,
}) => {
  const question = `What happens to a run when I close the tab? ${randomUUID()}`
  await signedInPage.goto(`${loupe.url}/chat`)
  const answer = signedInPage.getByRole('log').getByRole('article', { name: 'Answer' }).last()
  // An answer lasts for about two seconds: on a busy computer it may be over before it is stopped.
  await expect(async () => {
    await signedInPage.getByRole('textbox', { name: 'Your question' }).fill(question)
    await signedInPage.keyboard.press('Control+Enter')
    await signedInPage.getByRole('button', { name: 'Stop run' }).dispatchEvent('click', undefined, { timeout: 10_000 })
    await expect(answer.getByRole('status').first()).toContainText(STOPPED, { timeout: 10_000 })
  }).toPass({ timeout: 120_000 })
  await expect(answer).toContainText('stopped here')

  await signedInPage.goto(`${loupe.url}/runs`)
  await signedInPage.getByRole('button', { name: 'Filter' }).click()
  await signedInPage.getByRole('combobox', { name: 'State' }).selectOption('stopped')
  await expect(signedInPage).toHaveURL(/status=stopped/)
  const row = signedInPage.getByRole('row').filter({ hasText: question }).first()
  await expect(row).toContainText('stopped')
  await expect(row.getByTitle(/^Stopped by /).first()).toBeVisible()
  await expect(signedInPage.getByRole('row').filter({ hasText: 'succeeded' })).toHaveCount(0)
  await row.getByRole('link', { name: question }).click()
  const result = signedInPage.getByRole('tabpanel', { name: 'Result' })
  await expect(result).toContainText(STOPPED)
  await expect(result).toContainText('stopped here')

  // Played back, it ends where it was cut.
  await result.getByRole('button', { name: '4×' }).click()
  await expect(result).toContainText('stopped here')
  await expect(result.getByRole('status').first()).toContainText(STOPPED)
})

test('a cell of a board and a row of a batch that were stopped say so in their places', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  const platform = new ChatPlatform()
  platform.createReply = () => ({
    words: Array.from({ length: 400 }, (_, index) => `word${index} `),
    gap_ms: 100,
    metadata: { usage: { total_tokens: 0, total_price: '0', currency: 'USD' } },
  })
  faultyWorkspace.platform.script = platform.script
  const survey = `${loupe.url}/api/workspaces/${faultyWorkspace.id}/keys/${faultyWorkspace.chatKey}/probe`
  await signedInPage.request.post(survey, { headers: { 'x-console': '1' } })

  await signedInPage.goto(`${loupe.url}/compare?workspace=${faultyWorkspace.id}`)
  await signedInPage.getByRole('textbox', { name: 'Board name' }).fill('Stopped')
  await signedInPage.getByRole('button', { name: 'New board' }).click()
  await signedInPage.getByRole('combobox', { name: 'Add an app' }).selectOption('Scripted app (chat)')
  await signedInPage.getByRole('textbox', { name: 'Question' }).fill('Tea?')
  await signedInPage.getByRole('button', { name: 'Run 1 cell' }).click()
  const cell = signedInPage.getByRole('region', { name: 'Cell A' })
  await expect(cell).toContainText('word2')
  await cell.getByRole('button', { name: 'Stop run' }).click()
  await expect(cell.getByRole('status').first()).toContainText(STOPPED)
  await expect(cell).toContainText('stopped here')
  await signedInPage.reload()
  await expect(cell.getByRole('status').first()).toContainText(STOPPED)

  await signedInPage.goto(`${loupe.url}/batches/new?workspace=${faultyWorkspace.id}&app=${faultyWorkspace.chatKey}`)
  await signedInPage.getByRole('textbox', { name: 'Or paste a table' }).fill('question\nCoffee?\n')
  await signedInPage.getByRole('button', { name: 'Use pasted table' }).click()
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  const batch = signedInPage.getByRole('table', { name: 'Rows' })
  await expect(batch.getByRole('row', { name: /Coffee/ })).toContainText('running')
  const address = signedInPage.url()
  await batch.getByRole('link', { name: 'Open run of row 1', exact: true }).click()
  const result = signedInPage.getByRole('tabpanel', { name: 'Result' })
  await expect(result).toContainText('word2')
  await result.getByRole('button', { name: 'Stop run' }).click()
  await expect(result).toContainText(STOPPED)
  await signedInPage.goto(address)
  const row = batch.getByRole('row', { name: /Coffee/ })
  await expect(row).toContainText('stopped')
  await expect(row.getByTitle(/^Stopped by .+ after frame \d+$/)).toBeVisible()
  await expect(signedInPage.getByRole('button', { name: /^stopped 1$/ })).toBeVisible()
})
