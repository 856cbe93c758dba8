import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { chance } from './faults/chance.ts'
import { Line } from './faults/line.ts'
import { answerSlowly, newIds } from './faults/platform.ts'
import { converse, questionsTo, Talk } from './faults/talk.ts'
import { expect, signIn, test } from './fixtures.ts'

/** The same moments again with `SEED=...`. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)

test('reloaded at 50 random moments, it is what the platform sent, byte by byte', async ({ desk, faults }, info) => {
  const random = noted(info)
  const talk = new Talk(random, 25)
  converse(faults.platform, [talk])
  await desk.goto(faults.chat)
  await send(desk)
  await expect(answer(desk)).toContainText('x')
  for (let reload = 0; reload < 50; reload++) {
    await reloaded(desk)
    // The moment is what is tried: before the first byte of the app, while it catches up, while it is live.
    await passes(random() * 450)
  }
  talk.end()
  await expect.poll(() => spoken(desk)).toBe(talk.text)
  await isOver(desk)
  expect(await spoken(desk)).toBe(talk.text)
  expect(questionsTo(faults.platform)).toBe(1)
})

test('its line cut 20 times at random, it lacks nothing and has nothing twice', async ({
  desk,
  faults,
  loupe,
}, info) => {
  const random = noted(info)
  const line = await Line.start(loupe.url)
  try {
    const talk = new Talk(random, 20)
    converse(faults.platform, [talk])
    await desk.goto(faults.chat.replace(loupe.url, line.url))
    await send(desk)
    for (let cut = 0; cut < 20; cut++) {
      const before = talk.text.length
      await expect.poll(async () => (await spoken(desk)).length, { intervals: [50] }).toBeGreaterThan(before)
      await passes(random() * 200)
      line.cut()
      const shown = await spoken(desk)
      expect(talk.text.startsWith(shown)).toBe(true)
    }
    talk.end()
    await expect.poll(() => spoken(desk)).toBe(talk.text)
    await isOver(desk)
    expect(await spoken(desk)).toBe(talk.text)
    expect(line.cuts).toBeGreaterThanOrEqual(20)
    expect(questionsTo(faults.platform)).toBe(1)
  } finally {
    await line.close()
  }
})

test('two tabs and a second browser have the same transcript', async ({ desk, faults, loupe, browser }, info) => {
  const random = noted(info)
  const first = new Talk(random, 20)
  const second = new Talk(random, 20, first.ids.conversation_id)
  converse(faults.platform, [first, second])
  await desk.goto(faults.chat)
  await send(desk)
  await expect(desk).toHaveURL(/conversation=/)
  const tab = await desk.context().newPage()
  await tab.goto(desk.url())
  first.end()
  await isOver(desk)
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await signIn(other, loupe)
  await other.goto(desk.url())
  await expect.poll(() => spoken(other)).toBe(first.text)

  await send(other, 'And then?')
  await expect(other.getByRole('log').getByRole('article', { name: 'Answer' })).toHaveCount(2)
  await second.begun
  for (const page of [desk, tab]) await expect.poll(() => spoken(page)).toMatch(/^x/)
  second.end()
  const pages = [desk, tab, other]
  for (const page of pages) {
    await expect.poll(() => spoken(page)).toBe(second.text)
    await isOver(page)
  }
  const told = await transcript(desk)
  expect(told).toEqual(['Tell me.', first.text, 'And then?', second.text])
  for (const page of pages) expect(await transcript(page)).toEqual(told)
  expect(questionsTo(faults.platform)).toBe(2)
  await elsewhere.close()
})

test('a tab that is hidden, and one that the browser freezes, have it whole', async ({ desk, faults }, info) => {
  const talk = new Talk(noted(info), 20)
  converse(faults.platform, [talk])
  // Headless Chromium hides no tab: what a hidden one lacks is taken away.
  await desk.addInitScript(() => {
    const state = { hidden: false }
    Object.assign(window, { hide: (hidden: boolean) => (state.hidden = hidden) })
    Object.defineProperty(document, 'hidden', { get: () => state.hidden })
    Object.defineProperty(document, 'visibilityState', { get: () => (state.hidden ? 'hidden' : 'visible') })
    const draw = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = (callback) => (state.hidden ? 0 : draw(callback))
  })
  await desk.goto(faults.chat)
  await send(desk)
  await expect(answer(desk)).toContainText('x')
  await hide(desk, true)
  const before = await spoken(desk)
  await expect.poll(() => spoken(desk)).not.toBe(before)
  const session = await desk.context().newCDPSession(desk)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  const length = talk.text.length
  await expect.poll(() => talk.text.length).toBeGreaterThan(length + 200)
  talk.end()
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await expect.poll(() => spoken(desk)).toBe(talk.text)
  await hide(desk, false)
  await isOver(desk)
  expect(await spoken(desk)).toBe(talk.text)
  expect(questionsTo(faults.platform)).toBe(1)
})

test('a browser that goes offline in the middle catches up when it is back', async ({ desk, faults, loupe }, info) => {
  const line = await Line.start(loupe.url)
  try {
    const talk = new Talk(noted(info), 20)
    converse(faults.platform, [talk])
    await desk.goto(faults.chat.replace(loupe.url, line.url))
    await send(desk)
    await expect(answer(desk)).toContainText('x')
    await desk.context().setOffline(true)
    line.takeDown()
    await expect(status(desk)).toContainText('reconnecting')
    const length = talk.text.length
    await expect.poll(() => talk.text.length).toBeGreaterThan(length + 200)
    talk.end()
    line.restore()
    await desk.context().setOffline(false)
    await expect.poll(() => spoken(desk)).toBe(talk.text)
    await isOver(desk)
    expect(questionsTo(faults.platform)).toBe(1)
  } finally {
    await line.close()
  }
})

test('a question asked offline is not lost, and leaves only when the person sends it', async ({
  desk,
  faults,
}, info) => {
  const talk = new Talk(noted(info), 5)
  converse(faults.platform, [talk])
  await desk.goto(faults.chat)
  await expect(desk.getByRole('textbox', { name: 'Your question' })).toBeVisible()
  // What shows a turn is fetched a little after the page stands.
  const came = () => performance.getEntriesByType('resource').map(({ name }) => name)
  for (const part of ['TurnView', 'Inspector-', 'Markdown'])
    await expect.poll(async () => (await desk.evaluate(came)).join()).toContain(part)
  await desk.waitForLoadState('networkidle')
  await desk.context().setOffline(true)
  await send(desk)
  await expect(status(desk)).toContainText('The line broke before the first frame.')
  await desk.context().setOffline(false)
  await expect(status(desk)).toContainText('not sent')
  await expect(status(desk)).toContainText('The console did not get this question. Nothing was sent to the platform.')
  expect(questionsTo(faults.platform)).toBe(0)
  await desk.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => spoken(desk)).toMatch(/^x/)
  talk.end()
  await isOver(desk)
  expect(questionsTo(faults.platform)).toBe(1)
})

test('the same Run-Id posted 100 times at once reaches the platform once', async ({ desk, faults, loupe }) => {
  const words = ['one ', 'two ', 'three']
  faults.platform.script = (seen, response) =>
    seen.path.endsWith('/chat-messages')
      ? answerSlowly(response, newIds(), words, 100)
      : void response.writeHead(404).end()
  const run_id = randomUUID()
  const post = () =>
    desk.request.post(`${loupe.url}/api/keys/${faults.chatKey}/chat-messages`, {
      headers: { 'x-console': '1', 'run-id': run_id },
      data: { query: 'Tell me.', user: 'mira', inputs: {}, response_mode: 'streaming' },
    })
  const replies = await Promise.all(Array.from({ length: 100 }, post))
  expect(new Set(replies.map((reply) => reply.status()))).toEqual(new Set([200]))
  const framesOf = (text: string) =>
    text.split('\n').filter((line) => /^(id|data): /.test(line) && !/"status"/.test(line))
  const [first, ...others] = (await Promise.all(replies.map((reply) => reply.text()))).map(framesOf)
  expect(first?.filter((line) => line.startsWith('id: '))).toEqual(['id: 1', 'id: 2', 'id: 3', 'id: 4'])
  for (const other of others) expect(other).toEqual(first)
  expect(questionsTo(faults.platform)).toBe(1)
})

function noted(info: { annotations: { type: string; description?: string }[] }): () => number {
  info.annotations.push({ type: 'seed', description: String(SEED) })
  console.log(`SEED=${SEED}`)
  return chance(SEED)
}

const passes = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const hide = (page: Page, hidden: boolean) =>
  page.evaluate((is) => {
    ;(window as unknown as { hide: (hidden: boolean) => void }).hide(is)
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

async function send(page: Page, question = 'Tell me.'): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question)
  await page.keyboard.press('Control+Enter')
}

const answer = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' }).last()
const status = (page: Page) => answer(page).getByRole('status').first()
const isOver = (page: Page) => expect(answer(page).getByRole('button', { name: 'Ask once more' })).toBeVisible()

/** In the very moment in which one page takes the place of another the driver has none to reload, and says so. */
async function reloaded(desk: Page): Promise<void> {
  for (;;)
    try {
      await desk.reload({ waitUntil: 'commit' })
      return
    } catch (error) {
      if (!String(error).includes('Not attached to an active page')) throw error
    }
}

const spoken = async (page: Page): Promise<string> => (await answer(page).locator('p').allTextContents()).join('\n')

/** What was asked and what was said, in order. */
const transcript = (page: Page): Promise<string[]> =>
  page
    .getByRole('log')
    .getByRole('region')
    .evaluateAll((turns) =>
      turns.flatMap((turn) => [
        turn.getAttribute('aria-label') ?? '',
        [...turn.querySelectorAll('article p')].map(({ textContent }) => textContent).join('\n'),
      ]),
    )
