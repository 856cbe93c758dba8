import { randomUUID } from 'node:crypto'
import { chromium, type Locator, type Page } from '@playwright/test'
import pino from 'pino'
import {
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
  ScriptedPlatform,
} from '#support/platforms/scriptedPlatform.ts'
import { LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'
import { createJsonSender } from '#support/postJson.ts'
import { CHROMIUM_OPTIONS } from '#support/chromium.ts'
import { openDatabase } from '../server/db/database.ts'
import { FrameSealer } from '../server/ledger/frames/frameSealer.ts'
import type { Figure } from './figure.ts'
import { measureClickUntilVisible, type ExpectedElement } from './elementTiming.ts'
import { tracePage } from './pageTrace.ts'

const FRAME_COUNT = 50_000
const TURN_COUNT = 500
/** Words of a paragraph. */
const WORDS_PER_PARAGRAPH = 80

interface OpenMeasurement {
  begun: number
  opened: number
  opening: number
  scrolling: number
}

/**
 * Long things: the frames of a run of 50,000, from the journal and sealed, and a conversation of 500 turns. From the click until
 * they are there, then scrolled through.
 */
export async function runLongRunBench(): Promise<Figure[]> {
  const platform = await ScriptedPlatform.start()
  const loupe = await new LoupeProcess({ PLATFORM: 'off', SEAL_AFTER_SECONDS: '3600' }).start()
  const browser = await chromium.launch(CHROMIUM_OPTIONS)
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const postJson = createJsonSender(context.request, loupe.url)
    await postJson('/api/session', { token: SETUP_TOKEN })
    const { id: workspace } = await postJson('/api/workspaces', { name: 'bench', base_url: platform.url })
    const { id: key } = await postJson(`/api/workspaces/${workspace}/keys`, {
      kind: 'chat',
      label: 'bench',
      key: 'app-bench',
    })
    const ask = (query: string, run_id: string, rest: object = {}) =>
      postJson(`/api/keys/${key}/chat-messages`, { query, user: 'bench', inputs: {}, ...rest }, { 'run-id': run_id })

    const long = createAnswerIds()
    platform.script = (_seen, response) => {
      openStream(response)
      for (let count = 1; count < FRAME_COUNT; count++)
        response.write(toMessageBlock(long, count % WORDS_PER_PARAGRAPH === 0 ? `word${count}.\n\n` : `word${count} `))
      response.end(toMessageEndBlock(long))
    }
    const run_id = randomUUID()
    await ask('Speak long.', run_id)
    const many = createAnswerIds()
    platform.script = (_seen, response) =>
      sendError(response, 200, {
        event: 'message',
        ...many,
        mode: 'chat',
        answer: `**Yes**, and more.\n\n- one\n- two`,
        metadata: {},
      })
    for (let turn = 0; turn < TURN_COUNT; turn++)
      await ask(`Question ${turn}?`, randomUUID(), {
        response_mode: 'blocking',
        ...(turn > 0 ? { conversation_id: many.conversation_id } : {}),
      })

    const place = `${loupe.url}/chat?workspace=${workspace}&app=${key}`
    const openRun = async () => {
      const page = await context.newPage()
      await page.goto(`${place}&run=${run_id}&tab=usage`)
      await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').nth(1).waitFor()
      await page.locator('strong, p').getByText('word1 ').first().waitFor()
      return page
    }
    const page = await openRun()
    const journaled = await measureFrames(page)
    const turns = await measure(
      page,
      page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first(),
      {
        list: page.getByRole('log'),
        firstElement: { selector: '[role=log] article', count: 2 },
        lastElement: { selector: '[role=log]', text: `Question ${TURN_COUNT - 1}?` },
      },
    )
    await page.close()
    await loupe.stop()
    await sealRun(loupe.folder, run_id)
    await loupe.start()
    const sealed = await measureFrames(await openRun())
    return [
      ...toFigures(`${FRAME_COUNT} frames`, journaled),
      ...toFigures(`${FRAME_COUNT} sealed frames`, sealed),
      {
        bench: 'open',
        what: `${FRAME_COUNT} sealed frames: until the last is there`,
        value: sealed.opened / journaled.opened,
        unit: 'x',
        against: 'from the journal',
        goal: '<= 1',
      },
      ...toFigures(`${TURN_COUNT} turns`, turns),
    ]
  } finally {
    await browser.close()
    await loupe.remove()
    await platform.close()
  }
}

const measureFrames = (page: Page): Promise<OpenMeasurement> =>
  measure(page, page.getByRole('tab', { name: /^Frames/ }), {
    list: page.getByRole('grid'),
    firstElement: { selector: '[role=grid] [role=row]', count: 2 },
    lastElement: { selector: `input[type=range][max="${FRAME_COUNT}"]` },
  })

/** Seals all frames of a run in the database of a server that is stopped. */
async function sealRun(folder: string, run_id: string): Promise<void> {
  const database = await openDatabase({ folder })
  const sealer = new FrameSealer({ pool: database.pool, log: pino({ level: 'silent' }), sealAfterMs: 0 })
  try {
    while ((await sealer.sealNextChunk(run_id)).frames > 0);
  } finally {
    await database.close()
  }
}

interface LongList {
  list: Locator
  firstElement: ExpectedElement
  lastElement: ExpectedElement
}

/** Clicks and waits for the last thing of a list, then scrolls it from end to end, a screen at each animation frame. */
async function measure(
  page: Page,
  link: Locator,
  { list, firstElement, lastElement }: LongList,
): Promise<OpenMeasurement> {
  const opening = await tracePage(page, async () => {
    const [begun = Number.NaN, opened = Number.NaN] = await measureClickUntilVisible(page, link, [
      firstElement,
      lastElement,
    ])
    return { begun, opened }
  })
  const fold = list.getByRole('button', { name: /^Show frames/ })
  if (await fold.isVisible()) await fold.click()
  const scrolling = await tracePage(page, () =>
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
  return { ...opening.value, opening: opening.longestTaskMs, scrolling: scrolling.longestTaskMs }
}

const toFigures = (what: string, { begun, opened, opening, scrolling }: OpenMeasurement): Figure[] => [
  { bench: 'open', what: `${what}: until the first are there`, value: begun, unit: 'ms', goal: '< 1000 ms' },
  { bench: 'open', what: `${what}: until the last is there`, value: opened, unit: 'ms', goal: '< 1000 ms' },
  { bench: 'open', what: `${what}: longest task while opening`, value: opening, unit: 'ms' },
  { bench: 'open', what: `${what}: longest task while scrolling`, value: scrolling, unit: 'ms', goal: '< 50 ms' },
]
