import { randomUUID } from 'node:crypto'
import { chromium, type Page, request } from '@playwright/test'
import { LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'
import { createJsonSender } from '#support/postJson.ts'
import { openDatabase } from '../server/db/database.ts'
import { CHROMIUM_OPTIONS } from '#support/chromium.ts'
import { median } from './relayBench.ts'
import type { Figure } from './figure.ts'
import { getVisibleTime } from './elementTiming.ts'

const KNOWLEDGE_KEY = 'knowledge-of-the-bench'
const DOCUMENT_COUNT = 10_000
const ROUND_COUNT = 5
const PAGE_COUNT = 10

/** The list of a dataset of 10,000 documents, 100 on a page, in a real browser on the built-in platform. */
export async function runDocumentListBench(): Promise<Figure[]> {
  const loupe = await new LoupeProcess({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY }).start()
  const browser = await chromium.launch(CHROMIUM_OPTIONS)
  try {
    const dataset = await createDocuments(loupe)
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.request.post(`${loupe.url}/api/session`, {
      headers: { 'x-console': '1' },
      data: { token: SETUP_TOKEN },
    })
    const page = await context.newPage()
    await observeLongTasks(page)
    const url = `${loupe.url}/datasets/${dataset}?limit=100`
    const opened: number[] = []
    for (let round = 0; round < ROUND_COUNT; round++) opened.push(await openList(page, url))
    const first = await getHeapMib(page)
    await readLongTasks(page)
    const [scrolled, turned]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < PAGE_COUNT; turn++) {
      await scroll(page)
      scrolled.push(...(await readLongTasks(page)))
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.getByText(`${(turn + 1) * 100 + 1} to`).waitFor()
      await page.getByText(`Document ${DOCUMENT_COUNT - (turn + 1) * 100 - 1}`, { exact: true }).waitFor()
      turned.push(...(await readLongTasks(page)))
    }
    return [
      {
        bench: 'lists',
        what: '10,000 documents, until the first is seen',
        value: median(opened),
        unit: 'ms',
        goal: '< 1000',
      },
      {
        bench: 'lists',
        what: `${PAGE_COUNT} pages of 100 scrolled, longest task`,
        value: Math.max(0, ...scrolled),
        unit: 'ms',
        goal: '<= 50 (0: none over 50)',
      },
      {
        bench: 'lists',
        what: `${PAGE_COUNT} pages turned, longest task`,
        value: Math.max(0, ...turned),
        unit: 'ms',
      },
      {
        bench: 'lists',
        what: `heap after ${PAGE_COUNT} pages against one`,
        value: (await getHeapMib(page)) - first,
        unit: 'MiB',
        against: `${first.toFixed(1)} MiB`,
      },
    ]
  } finally {
    await browser.close()
    await loupe.remove()
  }
}

/** One document by the platform, and the others as copies of its row: the list reads nothing but rows. */
async function createDocuments(loupe: LoupeProcess): Promise<string> {
  const client = await request.newContext()
  const postJson = createJsonSender(client, loupe.platform, { authorization: `Bearer ${KNOWLEDGE_KEY}` })
  const { id } = await postJson('/datasets', { name: `Bench ${randomUUID().slice(0, 8)}` })
  const { document } = await postJson(`/datasets/${id}/document/create-by-text`, {
    name: 'Document',
    text: 'Its row is copied.',
    indexing_technique: 'economy',
    process_rule: { mode: 'automatic' },
  })
  await client.dispose()
  await loupe.stop()
  const database = await openDatabase({ folder: loupe.folder })
  const { rows } = await database.pool.query<{ names: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
      WHERE table_schema = 'platform' AND table_name = 'documents' AND is_generated = 'NEVER'
        AND column_name NOT IN ('id', 'name', 'position', 'indexing_status')`,
  )
  const names = rows[0]?.names ?? ''
  await database.pool.query(
    `INSERT INTO platform.documents (id, name, position, indexing_status, ${names})
     SELECT gen_random_uuid(), 'Document ' || n, n + 1, 'completed', ${names}
       FROM platform.documents, generate_series(1, $2::int) AS n WHERE id = $1`,
    [document.id, DOCUMENT_COUNT - 1],
  )
  await database.close()
  await loupe.start()
  return id
}

async function openList(page: Page, url: string): Promise<number> {
  await page.goto('about:blank')
  await page.goto(url, { waitUntil: 'commit' })
  return getVisibleTime(page, { selector: '[role=row], tr', count: 101 })
}

const observeLongTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Reflect.set(window, 'tasks', [])
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) (Reflect.get(window, 'tasks') as number[]).push(duration)
    }).observe({ type: 'longtask' })
  })

/** The tasks over 50 ms since the last call, when the browser has drawn what it was asked for. */
const readLongTasks = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    const tasks = Reflect.get(window, 'tasks') as number[]
    Reflect.set(window, 'tasks', [])
    return tasks
  })

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 500)
  for (let step = 0; step < 12; step++) await page.mouse.wheel(0, 300)
}

async function getHeapMib(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1024 / 1024
}
