import type { Page } from '@playwright/test'
import { expect, test } from '#support/fixtures.ts'
import {
  createAnswerIds,
  openStream,
  type PlatformScript,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'

/** Answers a question with its text, in the conversation that it names or in a new one. */
const echoQuestion: PlatformScript = ({ path, body }, response) => {
  if (!path.endsWith('/chat-messages')) return void response.writeHead(404).end()
  const { query, conversation_id } = JSON.parse(body) as { query: string; conversation_id?: string }
  const ids = { ...createAnswerIds(), ...(conversation_id ? { conversation_id } : {}) }
  openStream(response)
  response.write(toMessageBlock(ids, `You said: ${JSON.stringify(query)}`))
  response.end(toMessageEndBlock(ids))
}

test('the question field has the focus, Enter sends by choice, and Escape leaves it to the shortcuts', async ({
  signedInPage: page,
  faultyWorkspace,
}) => {
  faultyWorkspace.platform.script = echoQuestion
  await page.goto(faultyWorkspace.chat)
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('one')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('two')
  await page.keyboard.press('Enter')
  await expect(answer(page)).toContainText('You said: "one\\ntwo"')
  await expect(field(page)).toBeFocused()

  await page.getByRole('button', { name: 'Enter sends' }).click()
  await field(page).focus()
  await page.keyboard.type('three')
  await page.keyboard.press('Enter')
  await page.keyboard.type('four')
  await expect(field(page)).toHaveValue('three\nfour')
  await page.reload()
  await expect(page.getByRole('button', { name: /^(Ctrl|⌘) Enter sends$/ })).toBeVisible()
  await field(page).focus()
  await page.keyboard.press('Control+Enter')
  await expect(answer(page)).toContainText('You said: "three\\nfour"')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

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

test('a silence has a clock and says when it ends, and the count of frames is one number', async ({
  signedInPage: page,
  faultyWorkspace,
}) => {
  let release: () => void = () => undefined
  faultyWorkspace.platform.script = async ({ path }, response) => {
    if (!path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    const ids = createAnswerIds()
    openStream(response)
    for (const word of ['One ', 'two ', 'three.']) response.write(toMessageBlock(ids, word))
    await new Promise<void>((resolve) => (release = resolve))
    response.end(toMessageEndBlock(ids))
  }
  await page.goto(faultyWorkspace.chat)
  await ask(page)
  const bar = page.getByRole('status').filter({ hasText: 'Frame' })
  await expect(bar).toContainText(/Frame 3 at \d+\.\d\d s\. Nothing for ([3-9]|\d\d) s, cut after 120 s\./)
  await expect(bar).toContainText(/Nothing for ([5-9]|\d\d) s/)
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector.getByRole('tab', { name: /^Frames\s*3$/ })).toBeVisible()
  await expect(inspector.getByText('3 frames')).toBeVisible()
  const at = /at (\d+\.\d\d) s/.exec((await bar.textContent()) ?? '')?.[1]
  await page.reload()
  await expect(bar).toContainText(`Frame 3 at ${at} s. Nothing for`)
  expect(Number(/Nothing for (\d+) s/.exec((await bar.textContent()) ?? '')?.[1])).toBeGreaterThanOrEqual(5)
  release()
  await expect(page.getByRole('button', { name: 'Regenerate' })).toBeVisible()

  // The first token has one time: below the answer, in the usage and in the list of frames.
  const shown = /first token (\d+\.\d\d)/.exec((await answer(page).textContent()) ?? '')?.[1]
  expect(shown).toBeDefined()
  await inspector.getByRole('tab', { name: 'Usage' }).click()
  const measured = inspector.getByRole('region', { name: 'Measured here' })
  await expect(measured).toContainText(`First token${shown} s`)
  await expect(inspector.getByRole('region', { name: 'By the platform' })).toContainText('Total tokens')
})

async function ask(page: Page): Promise<void> {
  await field(page).fill('Go on?')
  await page.keyboard.press('Enter')
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Your question' })
const answer = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' }).last()
const distanceToEnd = (page: Page): Promise<number> =>
  page.getByRole('log').evaluate((view) => view.scrollHeight - view.scrollTop - view.clientHeight)
