import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'
import { createJsonSender } from '#support/postJson.ts'
import { CHROMIUM_OPTIONS } from '#support/chromium.ts'
import type { Figure } from './figure.ts'
import { getVisibleTime } from './elementTiming.ts'
import { tracePage } from './pageTrace.ts'

const KNOWLEDGE_KEY = 'knowledge-of-the-bench'
const SEGMENT_COUNT = 10_000
const TEXT_MB = 5

/** The chunk lab on a text of 5 MB, and the segments of a document that has 10,000 of them. */
export async function runChunkLabBench(): Promise<Figure[]> {
  const loupe = await new LoupeProcess({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY }).start()
  const browser = await chromium.launch(CHROMIUM_OPTIONS)
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.request.post(`${loupe.url}/api/session`, {
      headers: { 'x-console': '1' },
      data: { token: SETUP_TOKEN },
    })
    const page = await context.newPage()
    return [
      ...(await measureChunking(page, loupe)),
      ...(await measureGrowth(page, loupe)),
      ...(await measureSegments(page, context, loupe)),
    ]
  } finally {
    await browser.close()
    await loupe.remove()
  }
}

async function measureChunking(page: Page, { url, folder }: LoupeProcess): Promise<Figure[]> {
  await page.goto(`${url}/lab`)
  // A first small text, so that the tokenizer's vocabulary is there, as it is when a person has looked around.
  await page.getByRole('textbox', { name: 'Text to split' }).fill('One part.\n\nAnother part.')
  await page.getByRole('article').nth(1).waitFor()
  // By its path: bytes handed over by the test driver would be decoded on the page's own thread.
  const file = join(folder, 'large.txt')
  writeFileSync(file, createText(TEXT_MB))
  const { value, longestTaskMs, longestTaskCpuMs } = await tracePage(page, async () => {
    const began = await page.evaluate(() => performance.now())
    await page.locator('input[type=file]').setInputFiles(file)
    const first = await getVisibleTime(page, { selector: 'main article', text: 'Paragraph 1 of' })
    return { first: first - began, all: (await getVisibleTime(page, { selector: 'main', text: 'split in' })) - began }
  })
  return [
    {
      bench: 'lab',
      what: '5 MB, first boundaries on the screen',
      value: value.first,
      unit: 'ms',
      goal: '< 1000 ms',
    },
    { bench: 'lab', what: '5 MB cut and counted', value: (TEXT_MB * 1000) / value.all, unit: 'MB/s' },
    {
      bench: 'lab',
      what: '5 MB, longest main-thread task',
      value: longestTaskMs,
      unit: 'ms',
      against: toWorkText(longestTaskCpuMs),
      goal: '< 50 ms',
    },
  ]
}

const GROWTH_FACTOR = 5
/** Files of which a larger one must not take longer than its size says. */
const GROWING_FILES = [
  {
    what: 'rows of a table',
    name: 'parts.csv',
    head: 'number,name,note',
    lines: 8_000,
    toLine: (number: number) => `P-${number},Part ${number},"A part of kind ${number % 97}, made of steel"`,
  },
]

/** From the choice of a file until all its chunks are counted, and of one that is five times as long. */
async function measureGrowth(page: Page, { url, folder }: LoupeProcess): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { what, name, head, lines, toLine } of GROWING_FILES) {
    const measure = async (count: number): Promise<number> => {
      const file = join(folder, name)
      writeFileSync(file, [head, ...Array.from({ length: count }, (_, index) => toLine(index + 1))].join('\n'))
      await page.goto(`${url}/lab`)
      const began = await page.evaluate(() => performance.now())
      await page.locator('input[type=file]').setInputFiles(file)
      return (await getVisibleTime(page, { selector: 'main', text: 'split in' })) - began
    }
    const fewMs = await measure(lines)
    const manyMs = await measure(lines * GROWTH_FACTOR)
    figures.push({
      bench: 'lab',
      what: `${lines * GROWTH_FACTOR} ${what}, of the time of ${lines}`,
      value: manyMs / fewMs,
      unit: 'times',
      against: `${(manyMs / 1000).toFixed(1)} s, ${(fewMs / 1000).toFixed(1)} s`,
      goal: '< 6 times',
    })
  }
  return figures
}

async function measureSegments(page: Page, context: BrowserContext, loupe: LoupeProcess): Promise<Figure[]> {
  const documentPath = await createDocument(context, loupe)
  const opening = await tracePage(page, async () => {
    await page.goto(loupe.url + documentPath, { waitUntil: 'commit' })
    return getVisibleTime(page, { selector: 'main [role=listitem]', text: 'Paragraph 1 of' })
  })
  const list = page.getByRole('list', { name: 'Segments' })
  const scrolling = await tracePage(page, () =>
    list.evaluate(async (element) => {
      const step = Math.max(element.clientHeight, element.scrollHeight / 200)
      for (let top = 0; top < element.scrollHeight; top += step) {
        element.scrollTop = top
        await new Promise(requestAnimationFrame)
      }
    }),
  )
  const what = `${SEGMENT_COUNT.toLocaleString('en')} segments`
  return [
    { bench: 'lab', what: `${what}, until the first is seen`, value: opening.value, unit: 'ms', goal: '< 1000 ms' },
    {
      bench: 'lab',
      what: `${what}, longest task while opening`,
      value: opening.longestTaskMs,
      unit: 'ms',
      against: toWorkText(opening.longestTaskCpuMs),
    },
    {
      bench: 'lab',
      what: `${what}, longest task while scrolling`,
      value: scrolling.longestTaskMs,
      unit: 'ms',
      against: toWorkText(scrolling.longestTaskCpuMs),
      goal: '< 50 ms',
    },
    {
      bench: 'lab',
      what: `${what}, heap after scrolling`,
      value: scrolling.heap,
      unit: 'MiB',
      against: `${opening.heap.toFixed(1)} MiB`,
    },
  ]
}

const toWorkText = (ms: number): string => `${ms.toFixed(1)} ms of its own work`

/** One document that the platform cuts into 10,000 segments; gives its address in the console. */
async function createDocument({ request }: BrowserContext, { platform }: LoupeProcess): Promise<string> {
  const headers = { authorization: `Bearer ${KNOWLEDGE_KEY}` }
  const postJson = createJsonSender(request, platform, headers)
  const { id } = await postJson('/datasets', { name: `Bench ${randomUUID().slice(0, 8)}` })
  const { document } = await postJson(`/datasets/${id}/document/create-by-text`, {
    name: 'Long',
    text: Array.from({ length: SEGMENT_COUNT }, (_, index) => createParagraph(index + 1)).join('\n\n'),
    indexing_technique: 'economy',
    process_rule: {
      mode: 'custom',
      rules: {
        pre_processing_rules: [],
        segmentation: { separator: '\n\n', max_tokens: 500, chunk_overlap: 0 },
      },
    },
  })
  for (;;) {
    const response = await request.get(`${platform}/datasets/${id}/documents`, { headers })
    const state = ((await response.json()) as { data: { indexing_status: string }[] }).data[0]?.indexing_status
    if (state === 'completed') return `/datasets/${id}/documents/${document.id}`
    if (state === 'error') throw new Error('The document was not indexed.')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

const createParagraph = (number: number): string =>
  `Paragraph ${number} of a long text. It tells of lamps, of seats and of the gap between them, and of who measured it.`

function createText(megabytes: number): string {
  const paragraphs: string[] = []
  for (let length = 0, number = 1; length < megabytes * 1e6; number++) {
    paragraphs.push(createParagraph(number))
    length += (paragraphs.at(-1)?.length ?? 0) + 2
  }
  return paragraphs.join('\n\n')
}
