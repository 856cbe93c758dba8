import type { Page } from '@playwright/test'
import { ChatPlatform } from '#support/platforms/chatPlatform.ts'
import { expect, type FaultyWorkspace, test } from '#support/fixtures.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'

const STOPPED = /Stopped by .+ after frame \d+\. What was received is saved\./

test('a chat that a person stops is stopped in chat, in Runs, on its page and when it is played back', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  await answerSlowly(signedInPage, loupe, faultyWorkspace)
  const question = 'What happens to a run when I close the tab?'
  await signedInPage.goto(`${loupe.url}/chat?workspace=${faultyWorkspace.id}&app=${faultyWorkspace.chatKey}`)
  const answer = signedInPage.getByRole('log').getByRole('article', { name: 'Answer' }).last()
  await signedInPage.getByRole('textbox', { name: 'Your question' }).fill(question)
  await signedInPage.keyboard.press('Control+Enter')
  await expect(answer).toContainText('word2')
  await signedInPage.getByRole('button', { name: 'Stop run' }).click()
  await expect(answer.getByRole('status').first()).toContainText(STOPPED)
  await expect(answer).toContainText('stopped here')

  await signedInPage.goto(`${loupe.url}/runs?workspace=${faultyWorkspace.id}`)
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
  await answerSlowly(signedInPage, loupe, faultyWorkspace)
  await signedInPage.goto(`${loupe.url}/compare?workspace=${faultyWorkspace.id}`)
  await signedInPage.getByRole('textbox', { name: 'Board name' }).fill('Stopped')
  await signedInPage.getByRole('button', { name: 'New board' }).click()
  await signedInPage.getByRole('combobox', { name: 'Add an app' }).selectOption(faultyWorkspace.chatKey)
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
  await signedInPage.getByRole('button', { name: 'Run 1 row' }).click()
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
  await expect(signedInPage.getByText('finished, 1 stopped')).toBeVisible()
  await signedInPage.goto(`${loupe.url}/batches?workspace=${faultyWorkspace.id}`)
  await expect(signedInPage.getByRole('row', { name: /finished, 1 stopped/ })).toBeVisible()
})

/** Answers last for 40 seconds, and the key is known to take a stop. */
async function answerSlowly(
  page: Page,
  loupe: LoupeProcess,
  { platform, id, chatKey }: FaultyWorkspace,
): Promise<void> {
  const chat = new ChatPlatform()
  chat.createReply = () => ({
    words: Array.from({ length: 400 }, (_, index) => `word${index} `),
    gap_ms: 100,
    metadata: { usage: { total_tokens: 0, total_price: '0', currency: 'USD' } },
  })
  platform.script = chat.script
  const probe = `${loupe.url}/api/workspaces/${id}/keys/${chatKey}/probe`
  await page.request.post(probe, { headers: { 'x-console': '1' } })
}
