import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { answerArticles, askQuestion } from '#support/chatPage.ts'
import { ChatPlatform } from '#support/platforms/chatPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

const TURN_COUNT = 120

test('a long transcript keeps few turns in the page, stays where one reads, and jumps to the newest', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
  context,
}) => {
  const platform = new ChatPlatform()
  const conversation_id = randomUUID()
  faultyWorkspace.platform.script = platform.script
  platform.createReply = ({ query }) => ({
    words: [`Answer to ${String(query)}. `, 'More words of it.\n\n'.repeat(6)],
    gap_ms: 0,
  })
  for (let turn = 0; turn < TURN_COUNT; turn++) {
    const body = { query: `question ${turn}`, user: 'mira', inputs: {}, response_mode: 'streaming', conversation_id }
    const response = await signedInPage.request.post(`${loupe.url}/api/keys/${faultyWorkspace.chatKey}/chat-messages`, {
      headers: { 'x-console': '1' },
      data: body,
    })
    await response.body()
  }
  const place = `${faultyWorkspace.chat}&conversation=${conversation_id}`
  await signedInPage.goto(place)
  await expect(answerArticles(signedInPage).last()).toContainText(`Answer to question ${TURN_COUNT - 1}.`)
  expect(await answerArticles(signedInPage).count()).toBeLessThan(40)

  platform.createReply = () => ({ words: Array.from({ length: 60 }, (_, index) => `word${index}\n\n`), gap_ms: 200 })
  await askQuestion(signedInPage, 'A long one')
  await expect(answerArticles(signedInPage).last()).toContainText('word3')
  await signedInPage.getByRole('log').hover()
  await signedInPage.mouse.wheel(0, -1_500)
  const newest = signedInPage.getByRole('button', { name: 'Jump to latest' })
  await expect(newest).toBeVisible()
  const read = signedInPage.getByRole('log').getByRole('article', { name: 'Answer' }).first()
  const getTop = async () => (await read.boundingBox())?.y
  let top: number | undefined
  // The list measures its turns once more after it was scrolled.
  await expect(async () => {
    top = await getTop()
    await wait(300)
    expect(await getTop()).toBe(top)
  }).toPass()
  await expect(signedInPage.getByRole('log')).toHaveAttribute('aria-busy', 'true')
  await expect(signedInPage.getByRole('log')).toHaveAttribute('aria-busy', 'false', { timeout: 40_000 })
  await expect.poll(getTop).toBe(top)
  await newest.click()
  await expect(answerArticles(signedInPage).last()).toContainText('word59')
  await expect(newest).toBeHidden()

  const second = await context.newPage()
  await second.goto(place)
  await expect(answerArticles(second).last()).toContainText('word59')
  const lastOf = async (page: Page) => ((await answerArticles(page).last().textContent()) ?? '').replace(/\s+/g, '')
  expect(await lastOf(second)).toBe(await lastOf(signedInPage))
})
