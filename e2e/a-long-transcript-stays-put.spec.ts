import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { ChatPlatform } from './faults/chat.ts'
import { expect, test } from './fixtures.ts'

const TURNS = 120

test('a long transcript keeps few turns in the page, stays where one reads, and jumps to the newest', async ({
  desk,
  faults,
  loupe,
  context,
}) => {
  const platform = new ChatPlatform()
  const conversation_id = randomUUID()
  faults.platform.script = platform.script
  platform.speak = ({ query }) => ({
    words: [`Answer to ${String(query)}. `, 'More words of it.\n\n'.repeat(6)],
    gap: 0,
  })
  for (let turn = 0; turn < TURNS; turn++) {
    const body = { query: `question ${turn}`, user: 'mira', inputs: {}, response_mode: 'streaming', conversation_id }
    const response = await desk.request.post(`${loupe.url}/api/keys/${faults.chatKey}/chat-messages`, {
      headers: { 'x-console': '1' },
      data: body,
    })
    await response.body()
  }
  const place = `${faults.chat}&conversation=${conversation_id}`
  await desk.goto(place)
  await expect(answers(desk).last()).toContainText(`Answer to question ${TURNS - 1}.`)
  expect(await answers(desk).count()).toBeLessThan(40)

  platform.speak = () => ({ words: Array.from({ length: 60 }, (_, index) => `word${index}\n\n`), gap: 200 })
  await desk.getByRole('textbox', { name: 'Your question' }).fill('A long one')
  await desk.keyboard.press('Control+Enter')
  await expect(answers(desk).last()).toContainText('word3')
  await desk.getByRole('log').hover()
  await desk.mouse.wheel(0, -1_500)
  const newest = desk.getByRole('button', { name: 'Jump to the newest' })
  await expect(newest).toBeVisible()
  const read = desk.getByRole('log').getByRole('article', { name: 'Answer' }).first()
  const before = await read.boundingBox()
  await expect(desk.getByRole('log')).toHaveAttribute('aria-busy', 'true')
  await expect(desk.getByRole('log')).toHaveAttribute('aria-busy', 'false', { timeout: 40_000 })
  expect((await read.boundingBox())?.y).toBe(before?.y)
  await newest.click()
  await expect(answers(desk).last()).toContainText('word59')
  await expect(newest).toBeHidden()

  const second = await context.newPage()
  await second.goto(place)
  await expect(answers(second).last()).toContainText('word59')
  const lastOf = async (page: Page) => ((await answers(page).last().textContent()) ?? '').replace(/\s+/g, '')
  expect(await lastOf(second)).toBe(await lastOf(desk))
})

const answers = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' })
