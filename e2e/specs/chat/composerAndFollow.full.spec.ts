import type { Page } from '@playwright/test'
import { expect, test } from '#support/fixtures.ts'
import {
  createAnswerIds,
  openStream,
  type PlatformScript,
  toMessageBlock,
  toMessageEndBlock,
  sendAnswer,
} from '#support/platforms/scriptedPlatform.ts'

/** Answers a question with its text, in the conversation that it names or in a new one. */
const echoQuestion: PlatformScript = ({ path, body }, response) => {
  if (!path.endsWith('/chat-messages')) return void response.writeHead(404).end()
  const { query, conversation_id } = JSON.parse(body) as { query: string; conversation_id?: string }
  const ids = { ...createAnswerIds(), ...(conversation_id ? { conversation_id } : {}) }
  sendAnswer(response, `You said: ${JSON.stringify(query)}`, {}, ids)
}

test('what is typed while a new conversation gets its id survives a reload', async ({
  signedInPage: page,
  faultyWorkspace,
}) => {
  faultyWorkspace.platform.script = echoQuestion
  await page.goto(faultyWorkspace.chat)
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('first')
  // On a slow machine the URL has the id long before the screen has rendered with it.
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.keyboard.press('Enter')
  await expect(answer(page)).toContainText('You said: "first"')
  await page.keyboard.type('And then?')
  await expect(field(page)).toHaveValue('And then?')
  await page.reload()
  await expect(answer(page)).toContainText('You said: "first"')
  await expect(field(page)).toHaveValue('And then?')
})

test('five thousand frames within a second are followed to their end, until a person scrolls', async ({
  signedInPage: page,
  faultyWorkspace,
}) => {
  let hold: (() => void) | null = null
  faultyWorkspace.platform.script = async ({ path }, response) => {
    if (!path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    const ids = createAnswerIds()
    openStream(response)
    const blocks = Array.from({ length: 5_000 }, (_, index) =>
      toMessageBlock(
        ids,
        `w${index} ${index % 40 === 39 ? '\n\n' : ''}${index % 400 === 399 ? '```js\nlet x = 1\n```\n\n' : ''}`,
      ),
    )
    for (let at = 0; at < blocks.length; at += 50) {
      response.write(blocks.slice(at, at + 50).join(''))
      await new Promise((resolve) => setTimeout(resolve, 7))
    }
    if (hold === null) return void response.end(toMessageEndBlock(ids))
    await new Promise<void>((resolve) => (hold = resolve))
    response.end(toMessageEndBlock(ids))
  }
  await page.goto(faultyWorkspace.chat)
  await ask(page)
  await expect(page.getByRole('button', { name: 'Regenerate' })).toBeVisible({ timeout: 30_000 })
  await expect(answer(page)).toContainText('w4999')
  await expect.poll(() => distanceToEnd(page)).toBeLessThan(60)
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toHaveCount(0)

  hold = () => undefined
  await ask(page)
  await expect(answer(page)).toContainText('w2000', { timeout: 30_000 })
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -2_000)
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible()
  await expect(answer(page)).toContainText('w4999', { timeout: 30_000 })
  expect(await distanceToEnd(page)).toBeGreaterThan(500)
  hold()
  await expect(page.getByRole('log')).toHaveAttribute('aria-busy', 'false')
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await expect.poll(() => distanceToEnd(page)).toBeLessThan(60)
})

async function ask(page: Page): Promise<void> {
  await field(page).fill('Go on?')
  await page.keyboard.press('Enter')
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Your question' })

const answer = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' }).last()

const distanceToEnd = (page: Page): Promise<number> =>
  page.getByRole('log').evaluate((view) => view.scrollHeight - view.scrollTop - view.clientHeight)
