import { type Browser, type CDPSession, chromium, type Locator, type Page } from '@playwright/test'
import { CHROMIUM_OPTIONS } from '#support/chromium.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import { type SendRaw, type SendRequest, signIn } from '../checks/kill/consoleClient.ts'

export const launchBrowser = (): Promise<Browser> => chromium.launch(CHROMIUM_OPTIONS)

/** A page of a browser that is signed in to a console, and what calls the console as its person. */
export async function openConsolePage(
  browser: Browser,
  loupe: LoupeProcess,
): Promise<{ page: Page; send: SendRequest; sendRaw: SendRaw }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const { cookie, ...sender } = await signIn(loupe)
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: loupe.url }])
  return { page: await context.newPage(), ...sender }
}

/** The awaited elements: a number (default 1) that match a selector and, optionally, contain a text. */
export interface ExpectedElement {
  selector: string
  text?: string
  count?: number
}

const VISIBLE_TIMEOUT_MS = 120_000

/**
 * When an element was seen, in ms of the page's clock: polled every animation frame, measured one frame later. The
 * driver's own waiting polls only every half second.
 */
export async function getVisibleTime(page: Page, expectedElement: ExpectedElement): Promise<number> {
  const handle = await page.waitForFunction(
    ({ selector, text = '', count = 1 }) => {
      const found = [...document.querySelectorAll(selector)].filter((one) => one.textContent.includes(text))
      const stood = Number(Reflect.get(window, 'stood') ?? 0)
      Reflect.set(window, 'stood', found.length >= count ? stood + 1 : 0)
      if (found.length < count || stood === 0) return 0
      Reflect.set(window, 'stood', 0)
      return performance.now()
    },
    expectedElement,
    { polling: 'raf', timeout: VISIBLE_TIMEOUT_MS },
  )
  return handle.jsonValue()
}

/** Milliseconds from a click until each of these was seen, in order. */
export async function measureClickUntilVisible(
  page: Page,
  link: Locator,
  expectedElements: readonly ExpectedElement[],
): Promise<number[]> {
  const options = { capture: true, once: true }
  await page.evaluate(
    (given) => addEventListener('click', ({ timeStamp }) => Reflect.set(window, 'clicked', timeStamp), given),
    options,
  )
  await link.click()
  const seen: number[] = []
  for (const expectedElement of expectedElements) seen.push(await getVisibleTime(page, expectedElement))
  const clicked = await page.evaluate(() => Number(Reflect.get(window, 'clicked')))
  return seen.map((at) => at - clicked)
}

/** Scrolls what scrolls in an element from end to end, a screen at each animation frame. */
export const scrollThrough = (list: Locator): Promise<void> =>
  list.evaluate(async (element) => {
    const view = [element, ...element.querySelectorAll('*')].find((one) => one.scrollHeight > one.clientHeight + 100)
    if (!view) throw new Error('nothing scrolls')
    const step = Math.max(view.clientHeight, view.scrollHeight / 200)
    for (let top = 0; top < view.scrollHeight; top += step) {
      view.scrollTop = top
      await new Promise(requestAnimationFrame)
    }
  })

/** What a page's main thread did: milliseconds, and the heap after a collection in MiB. */
export interface TraceResult<Value> {
  value: Value
  busy: number
  longestTaskMs: number
  /** Of the longest task, what it computed itself: on a machine that is shared a task also waits for its turn. */
  longestTaskCpuMs: number
  heap: number
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args: { name?: string }
}

/** Runs an action in a page and measures its main thread, from a trace of the renderer's tasks. */
export async function tracePage<Value>(
  page: Page,
  action: () => Promise<Value>,
  throttle = 1,
): Promise<TraceResult<Value>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as TraceEvent[])
      if (event.name === 'ThreadControllerImpl::RunTask' || event.name === 'thread_name') events.push(event)
  })
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['toplevel', '__metadata'],
      recordMode: 'recordUntilFull',
      traceBufferSizeInKb: 600_000,
    },
  })
  const value = await action()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const heap = await getHeapMib(session)
  await session.detach()
  return { value, heap, ...summarizeTasks(events) }
}

/** The tasks of the busiest renderer's main thread: idle pages have renderers too. */
function summarizeTasks(events: readonly TraceEvent[]): Omit<TraceResult<never>, 'value' | 'heap'> {
  const toThread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = new Set(events.filter(({ args }) => args.name === 'CrRendererMain').map(toThread))
  const tasks = events.filter((event) => event.name !== 'thread_name' && mains.has(toThread(event)))
  const threads = [...Map.groupBy(tasks, toThread).values()].map((own) => ({
    busy: own.reduce((sum, { dur = 0 }) => sum + dur / 1000, 0),
    longestTaskMs: own.reduce((longest, { dur = 0 }) => Math.max(longest, dur / 1000), 0),
    longestTaskCpuMs: own.reduce((longest, { dur = 0, tdur = dur }) => Math.max(longest, tdur / 1000), 0),
  }))
  const [busiest] = threads.sort((one, other) => other.busy - one.busy)
  return busiest ?? { busy: 0, longestTaskMs: 0, longestTaskCpuMs: 0 }
}

async function getHeapMib(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1024 / 1024
}
