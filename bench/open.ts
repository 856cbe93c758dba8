import { randomUUID } from 'node:crypto'
import { chromium, type Locator, type Page } from '@playwright/test'
import { message, messageEnd, newIds, openStream, refuse, ScriptedPlatform } from '../e2e/faults/platform.ts'
import { Loupe, SETUP_TOKEN } from '../e2e/loupe.ts'
import { CHROMIUM } from '../e2e/chromium.ts'
import type { Figure } from './figure.ts'
import { clickedUntil, type Sight } from './seen.ts'
import { traced } from './trace.ts'

const FRAMES = 50_000
const TURNS = 500
/** Words of a paragraph. */
const PARAGRAPH = 80

interface Opened {
  begun: number
  opened: number
  opening: number
  scrolling: number
}

/** Long things: the frames of a run of 50,000, and a conversation of 500 turns. From the click until they are there, then scrolled through. */
export async function open(): Promise<Figure[]> {
  const platform = await ScriptedPlatform.start()
  const loupe = await new Loupe({ PLATFORM: 'off' }).start()
  const browser = await chromium.launch(CHROMIUM)
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const post = async (path: string, data: unknown, headers: Record<string, string> = {}) => {
      const response = await context.request.post(loupe.url + path, {
        headers: { 'x-console': '1', ...headers },
        data,
        timeout: 120_000,
      })
      if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`)
      return response
    }
    const made = async (path: string, data: unknown) => ((await (await post(path, data)).json()) as { id: string }).id
    await post('/api/session', { token: SETUP_TOKEN })
    const workspace = await made('/api/workspaces', { name: 'bench', base_url: platform.url })
    const key = await made(`/api/workspaces/${workspace}/keys`, { kind: 'chat', label: 'bench', key: 'app-bench' })
    const ask = (query: string, run_id: string, rest: object = {}) =>
      post(`/api/keys/${key}/chat-messages`, { query, user: 'bench', inputs: {}, ...rest }, { 'run-id': run_id })

    const long = newIds()
    platform.script = (_seen, response) => {
      openStream(response)
      for (let count = 1; count < FRAMES; count++)
        response.write(message(long, count % PARAGRAPH === 0 ? `word${count}.\n\n` : `word${count} `))
      response.end(messageEnd(long))
    }
    const run_id = randomUUID()
    await ask('Speak long.', run_id)
    const many = newIds()
    platform.script = (_seen, response) =>
      refuse(response, 200, {
        event: 'message',
        ...many,
        mode: 'chat',
        answer: `**Yes**, and more.\n\n- one\n- two`,
        metadata: {},
      })
    for (let turn = 0; turn < TURNS; turn++)
      await ask(`Question ${turn}?`, randomUUID(), {
        response_mode: 'blocking',
        ...(turn > 0 ? { conversation_id: many.conversation_id } : {}),
      })

    const place = `${loupe.url}/chat?workspace=${workspace}&app=${key}`
    await page.goto(`${place}&run=${run_id}&tab=usage`)
    const conversations = page.getByRole('navigation', { name: 'Conversations' })
    await conversations.getByRole('link').nth(1).waitFor()
    await page.locator('strong, p').getByText('word1 ').first().waitFor()
    const frames = await measure(page, page.getByRole('tab', { name: /^Frames/ }), {
      list: page.getByRole('grid'),
      first: { selector: '[role=grid] [role=row]', count: 2 },
      last: { selector: `input[type=range][max="${FRAMES}"]` },
    })
    const turns = await measure(page, conversations.getByRole('link').first(), {
      list: page.getByRole('log'),
      first: { selector: '[role=log] article', count: 2 },
      last: { selector: '[role=log]', text: `Question ${TURNS - 1}?` },
    })
    return [...figuresOf(`${FRAMES} frames`, frames), ...figuresOf(`${TURNS} turns`, turns)]
  } finally {
    await browser.close()
    await loupe.remove()
    await platform.close()
  }
}

interface Long {
  list: Locator
  first: Sight
  last: Sight
}

/** Clicks and waits for the last thing of a list, then scrolls it from end to end, a screen at each animation frame. */
async function measure(page: Page, door: Locator, { list, first, last }: Long): Promise<Opened> {
  const opening = await traced(page, async () => {
    const [begun = Number.NaN, opened = Number.NaN] = await clickedUntil(page, door, [first, last])
    return { begun, opened }
  })
  const fold = list.getByRole('button', { name: /^Show frames/ })
  if (await fold.isVisible()) await fold.click()
  const scrolling = await traced(page, () =>
    list.evaluate(async (element) => {
      const view = [element, ...element.querySelectorAll('*')].find((one) => one.scrollHeight > one.clientHeight + 100)
      if (!view) throw new Error('nothing scrolls')
      view.scrollTop = 0
      const step = Math.max(view.clientHeight, view.scrollHeight / 200)
      for (let top = 0; top < view.scrollHeight; top += step) {
        view.scrollTop = top
        await new Promise(requestAnimationFrame)
      }
    }),
  )
  return { ...opening.value, opening: opening.longest, scrolling: scrolling.longest }
}

const figuresOf = (what: string, { begun, opened, opening, scrolling }: Opened): Figure[] => [
  { bench: 'open', what: `${what}: until the first are there`, value: begun, unit: 'ms', goal: '< 1000 ms' },
  { bench: 'open', what: `${what}: until the last is there`, value: opened, unit: 'ms', goal: '< 1000 ms' },
  { bench: 'open', what: `${what}: longest task while opening`, value: opening, unit: 'ms' },
  { bench: 'open', what: `${what}: longest task while scrolling`, value: scrolling, unit: 'ms', goal: '< 50 ms' },
]
