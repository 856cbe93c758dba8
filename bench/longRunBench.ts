import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import pino from 'pino'
import {
  createAnswerIds,
  openStream,
  ScriptedPlatform,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { addKeys } from '../checks/kill/consoleClient.ts'
import { openDatabase } from '../server/db/database.ts'
import { FrameSealer } from '../server/ledger/frames/frameSealer.ts'
import {
  type ExpectedElement,
  launchBrowser,
  measureClickUntilVisible,
  openConsolePage,
  scrollThrough,
  tracePage,
} from './benchPage.ts'
import { type Figure, toFigure } from './figures.ts'

const FRAME_COUNT = 50_000
const TURN_COUNT = 500
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
  const browser = await launchBrowser()
  try {
    const { page: firstPage, send, sendRaw } = await openConsolePage(browser, loupe)
    const context = firstPage.context()
    const { chat } = await addKeys(send, platform.url, ['chat'])
    const run_id = randomUUID()
    const ask = async (id: string, query: string, more: object) => {
      const body = { query, user: 'bench', inputs: {}, ...more }
      await (await sendRaw('POST', `/api/keys/${chat}/chat-messages`, body, { 'run-id': id })).text()
    }
    const long = createAnswerIds()
    platform.script = (_seen, response) => {
      openStream(response)
      for (let count = 1; count < FRAME_COUNT; count++)
        response.write(toMessageBlock(long, count % WORDS_PER_PARAGRAPH === 0 ? `word${count}.\n\n` : `word${count} `))
      response.end(toMessageEndBlock(long))
    }
    await ask(run_id, 'Speak long.', { response_mode: 'streaming' })
    const many = createAnswerIds()
    const answer = '**Yes**, and more.\n\n- one\n- two'
    platform.script = (_seen, response) =>
      sendError(response, 200, { event: 'message', ...many, mode: 'chat', answer, metadata: {} })
    const { conversation_id } = many
    for (let turn = 0; turn < TURN_COUNT; turn++)
      await ask(randomUUID(), `Question ${turn}?`, { response_mode: 'blocking', ...(turn > 0 && { conversation_id }) })

    const listConversations = (page: Page) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
    const openRun = async (): Promise<Page> => {
      const page = await context.newPage()
      await page.goto(`${loupe.url}/chat?app=${chat}&run=${run_id}&tab=usage`)
      await listConversations(page).nth(1).waitFor()
      await page.locator('strong, p').getByText('word1 ').first().waitFor()
      return page
    }
    const page = await openRun()
    const journaled = await measureFrames(page)
    const turns = await measure(page, listConversations(page).first(), page.getByRole('log'), [
      { selector: '[role=log] article', count: 2 },
      { selector: '[role=log]', text: `Question ${TURN_COUNT - 1}?` },
    ])
    await page.close()
    await loupe.stop()
    await sealRun(loupe.folder, run_id)
    await loupe.start()
    const sealed = await measureFrames(await openRun())
    return [
      ...toFigures(`${FRAME_COUNT} frames`, journaled),
      ...toFigures(`${FRAME_COUNT} sealed frames`, sealed),
      toFigure(`${FRAME_COUNT} sealed frames: until the last is there`, sealed.opened / journaled.opened, 'x', {
        against: 'from the journal',
        goal: '<= 1',
      }),
      ...toFigures(`${TURN_COUNT} turns`, turns),
    ]
  } finally {
    await browser.close()
    await loupe.remove()
    await platform.close()
  }
}

const measureFrames = (page: Page): Promise<OpenMeasurement> =>
  measure(page, page.getByRole('tab', { name: /^Frames/ }), page.getByRole('grid'), [
    { selector: '[role=grid] [role=row]', count: 2 },
    { selector: `input[type=range][max="${FRAME_COUNT}"]` },
  ])

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

/** Clicks and waits for the first and the last element of a list, then scrolls it from end to end. */
async function measure(
  page: Page,
  link: Locator,
  list: Locator,
  ends: [ExpectedElement, ExpectedElement],
): Promise<OpenMeasurement> {
  const opening = await tracePage(page, () => measureClickUntilVisible(page, link, ends))
  const fold = list.getByRole('button', { name: /^Show frames/ })
  if (await fold.isVisible()) await fold.click()
  const scrolling = await tracePage(page, () => scrollThrough(list))
  const [begun = Number.NaN, opened = Number.NaN] = opening.value
  return { begun, opened, opening: opening.longestTaskMs, scrolling: scrolling.longestTaskMs }
}

const toFigures = (what: string, { begun, opened, opening, scrolling }: OpenMeasurement): Figure[] => [
  toFigure(`${what}: until the first are there`, begun, 'ms', { goal: '< 1000 ms' }),
  toFigure(`${what}: until the last is there`, opened, 'ms', { goal: '< 1000 ms' }),
  toFigure(`${what}: longest task while opening`, opening, 'ms'),
  toFigure(`${what}: longest task while scrolling`, scrolling, 'ms', { goal: '< 50 ms' }),
]
