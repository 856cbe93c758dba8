import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { openPlatform } from '../checks/kill/consoleClient.ts'
import { getVisibleTime, launchBrowser, openConsolePage, scrollThrough, tracePage } from './benchPage.ts'
import { type Figure, toFigure } from './figures.ts'
import { createDocument, toProcessRule, waitUntilIndexed } from './platform/knowledgeClient.ts'

const KNOWLEDGE_KEY = 'knowledge-of-the-bench'
const SEGMENT_COUNT = 10_000
const TEXT_MB = 5
const TABLE_ROWS = 8_000
const GROWTH_FACTOR = 5

/** The chunk lab on a text of 5 MB, and the segments of a document that has 10,000 of them. */
export async function runChunkLabBench(): Promise<Figure[]> {
  const loupe = await new LoupeProcess({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY }).start()
  const browser = await launchBrowser()
  try {
    const { page } = await openConsolePage(browser, loupe)
    return [
      ...(await measureChunking(page, loupe)),
      await measureGrowth(page, loupe),
      ...(await measureSegments(page, loupe)),
    ]
  } finally {
    await browser.close()
    await loupe.remove()
  }
}

/** Chooses a file by its path: bytes handed over by the test driver would be decoded on the page's own thread. */
async function chooseFile(page: Page, { folder }: LoupeProcess, name: string, text: string): Promise<number> {
  const file = join(folder, name)
  writeFileSync(file, text)
  const began = await page.evaluate(() => performance.now())
  await page.locator('input[type=file]').setInputFiles(file)
  return began
}

async function measureChunking(page: Page, loupe: LoupeProcess): Promise<Figure[]> {
  await page.goto(`${loupe.url}/lab`)
  // A first small text, so that the tokenizer's vocabulary is there, as it is when a person has looked around.
  await page.getByRole('textbox', { name: 'Text to split' }).fill('One part.\n\nAnother part.')
  await page.getByRole('article').nth(1).waitFor()
  const paragraphs = Math.ceil((TEXT_MB * 1e6) / (createParagraph(9_999).length + 2))
  const { value, longestTaskMs, longestTaskCpuMs } = await tracePage(page, async () => {
    const began = await chooseFile(page, loupe, 'large.txt', createText(paragraphs))
    const first = await getVisibleTime(page, { selector: 'main article', text: 'Paragraph 1 of' })
    return { first: first - began, all: (await getVisibleTime(page, { selector: 'main', text: 'split in' })) - began }
  })
  return [
    toFigure('5 MB, first boundaries on the screen', value.first, 'ms', { goal: '< 1000 ms' }),
    toFigure('5 MB cut and counted', (TEXT_MB * 1000) / value.all, 'MB/s'),
    toFigure('5 MB, longest main-thread task', longestTaskMs, 'ms', {
      against: toWorkText(longestTaskCpuMs),
      goal: '< 50 ms',
    }),
  ]
}

/** Rows of a table, from the choice of the file until all chunks are counted, and of one that is five times as long. */
async function measureGrowth(page: Page, loupe: LoupeProcess): Promise<Figure> {
  const measure = async (count: number): Promise<number> => {
    const toLine = (number: number) => `P-${number},Part ${number},"A part of kind ${number % 97}, made of steel"`
    const lines = ['number,name,note', ...Array.from({ length: count }, (_, index) => toLine(index + 1))]
    await page.goto(`${loupe.url}/lab`)
    const began = await chooseFile(page, loupe, 'parts.csv', lines.join('\n'))
    return (await getVisibleTime(page, { selector: 'main', text: 'split in' })) - began
  }
  const [few, many] = [await measure(TABLE_ROWS), await measure(TABLE_ROWS * GROWTH_FACTOR)]
  const what = `${TABLE_ROWS * GROWTH_FACTOR} rows of a table, of the time of ${TABLE_ROWS}`
  const against = `${(many / 1000).toFixed(1)} s, ${(few / 1000).toFixed(1)} s`
  return toFigure(what, many / few, 'times', { against, goal: '< 6 times' })
}

async function measureSegments(page: Page, loupe: LoupeProcess): Promise<Figure[]> {
  const send = openPlatform(loupe, KNOWLEDGE_KEY)
  const { id } = await send<{ id: string }>('POST', '/datasets', { name: 'Bench' })
  const { document, batch } = await createDocument(
    send,
    id,
    'Long',
    createText(SEGMENT_COUNT),
    toProcessRule('\n\n', 500),
  )
  await waitUntilIndexed(send, id, batch)
  const opening = await tracePage(page, async () => {
    await page.goto(`${loupe.url}/datasets/${id}/documents/${document.id}`, { waitUntil: 'commit' })
    return getVisibleTime(page, { selector: 'main [role=listitem]', text: 'Paragraph 1 of' })
  })
  const scrolling = await tracePage(page, () => scrollThrough(page.getByRole('list', { name: 'Segments' })))
  const what = `${SEGMENT_COUNT.toLocaleString('en')} segments`
  return [
    toFigure(`${what}, until the first is seen`, opening.value, 'ms', { goal: '< 1000 ms' }),
    toFigure(`${what}, longest task while opening`, opening.longestTaskMs, 'ms', {
      against: toWorkText(opening.longestTaskCpuMs),
    }),
    toFigure(`${what}, longest task while scrolling`, scrolling.longestTaskMs, 'ms', {
      against: toWorkText(scrolling.longestTaskCpuMs),
      goal: '< 50 ms',
    }),
    toFigure(`${what}, heap after scrolling`, scrolling.heap, 'MiB', { against: `${opening.heap.toFixed(1)} MiB` }),
  ]
}

const toWorkText = (ms: number): string => `${ms.toFixed(1)} ms of its own work`

const createParagraph = (number: number): string =>
  `Paragraph ${number} of a long text. It tells of lamps, of seats and of the gap between them, and of who measured it.`

const createText = (paragraphs: number): string =>
  Array.from({ length: paragraphs }, (_, index) => createParagraph(index + 1)).join('\n\n')
