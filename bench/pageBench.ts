import { gzipSync } from 'node:zlib'
import { type BrowserContext, chromium } from '@playwright/test'
import { LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'
import { setUpConsole, freePort, median, startUpstream } from './relayBench.ts'
import { renderCase } from './renderBench.ts'
import { serveStaticPage } from './page/staticPage.ts'
import { tracePage } from './pageTrace.ts'
import { CHROMIUM_OPTIONS } from '#support/chromium.ts'
import type { Figure } from './figure.ts'
import { getVisibleTime } from './elementTiming.ts'

const ROUND_COUNT = 3

/** What the official starter needs at 4x CPU throttle, milliseconds (measured once, on such a machine): until it is usable, and blocked meanwhile. */
const STARTER_MS = { usable: 1200, blocked: 240 }
const TOKEN_COUNT = 4000
const TOKENS_PER_SECOND = 500

interface LoadMeasurement {
  js: number
  requests: number
  usable: number
  /** What its tasks took over 50 ms each. */
  blocked: number
  /** Its modules. */
  scripts: string[]
}

interface LoadedPage {
  url: string
  /** Where a question is typed. */
  field: string
  prepare?: (context: BrowserContext) => Promise<unknown>
}

const CPU_THROTTLE = 4

/** What the chat page costs: on its first load, also on a slow machine, and while a long answer comes through the whole app. */
export async function runPageBench(): Promise<Figure[]> {
  const loupe = await new LoupeProcess().start()
  const chat: LoadedPage = {
    url: `${loupe.url}/chat`,
    field: 'main textarea',
    prepare: (context) =>
      context.request.post(`${loupe.url}/api/session`, {
        headers: { 'x-console': '1' },
        data: { token: SETUP_TOKEN },
      }),
  }
  let site: Awaited<ReturnType<typeof serveStaticPage>> | undefined
  try {
    site = await serveStaticPage((await measureLoad(chat)).scripts)
    const loads: LoadMeasurement[] = []
    const slow: LoadMeasurement[] = []
    const still: LoadMeasurement[] = []
    for (let round = 0; round < ROUND_COUNT; round++) {
      loads.push(await measureLoad(chat))
      slow.push(await measureLoad(chat, CPU_THROTTLE))
      still.push(await measureLoad({ url: site.url, field: 'main textarea' }, CPU_THROTTLE))
    }
    const of = (from: LoadMeasurement[], figure: 'js' | 'requests' | 'usable' | 'blocked') =>
      median(from.map((one) => one[figure]))
    return [
      {
        bench: 'page',
        what: 'JavaScript of /chat, gzip -9',
        value: of(loads, 'js') / 1024,
        unit: 'KiB',
        against: 'official starter 465',
        goal: '<= 200',
      },
      { bench: 'page', what: 'requests of /chat', value: of(loads, 'requests'), unit: 'requests', goal: '<= 20' },
      { bench: 'page', what: 'until a question can be typed', value: of(loads, 'usable'), unit: 'ms' },
      {
        bench: 'page',
        what: 'until a question can be typed, 4x throttle',
        value: of(slow, 'usable') / STARTER_MS.usable,
        unit: 'times the official starter',
        against: `${of(slow, 'usable').toFixed(0)} ms to ${STARTER_MS.usable}`,
        goal: '<= 0.7 times',
      },
      {
        bench: 'page',
        what: 'until a question can be typed, 4x throttle, to a page that loads as much JavaScript and runs none',
        value: of(slow, 'usable') / of(still, 'usable'),
        unit: 'times',
        against: `${of(slow, 'usable').toFixed(0)} ms to ${of(still, 'usable').toFixed(0)}`,
      },
      {
        bench: 'page',
        what: 'blocked meanwhile, 4x throttle',
        value: of(slow, 'blocked') / STARTER_MS.blocked,
        unit: 'times the official starter',
        against: `${of(slow, 'blocked').toFixed(0)} ms to ${STARTER_MS.blocked}`,
        goal: '<= 0.5 times',
      },
      ...(await measureAnswer()),
    ]
  } finally {
    site?.close()
    await loupe.remove()
  }
}

/** An answer through the whole app: platform, relay, ledger, line, transcript and inspector; against a page that parses it all at each token. */
async function measureAnswer(): Promise<Figure[]> {
  const port = await freePort()
  const upstream = await startUpstream(port)
  const loupe = await new LoupeProcess({ PLATFORM: 'off' }).start()
  const browser = await chromium.launch(CHROMIUM_OPTIONS)
  try {
    const { cookie, pathOf } = await setUpConsole(loupe, port)
    await pathOf('chat')
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: loupe.url }])
    const tab = await context.newPage()
    await tab.goto(`${loupe.url}/chat`)
    await tab.locator('main textarea').first().fill(`go n=${TOKEN_COUNT} rate=${TOKENS_PER_SECOND} md=1`)
    await tab.waitForLoadState('networkidle')
    const { busy, longestTaskMs, longestTaskCpuMs } = await tracePage(tab, async () => {
      await tab.keyboard.press('Control+Enter')
      // It stands under an answer that has ended.
      await getVisibleTime(tab, { selector: '[role=log] article', text: 'speed' })
    })
    const naive = await renderCase({ method: 'naive', tokens: TOKEN_COUNT, rate: TOKENS_PER_SECOND })
    const what = `an answer of ${TOKEN_COUNT} tokens at ${TOKENS_PER_SECOND}/s through the whole app`
    return [
      {
        bench: 'page',
        what: `${what}: busy`,
        value: busy / naive.busy,
        unit: 'times a naive page',
        against: `${busy.toFixed(0)} ms to ${naive.busy.toFixed(0)}`,
        goal: '<= 0.5 times',
      },
      {
        bench: 'page',
        what: `${what}: longest task`,
        value: longestTaskMs,
        unit: 'ms',
        against: `its own time ${longestTaskCpuMs.toFixed(0)} ms`,
        goal: '< 50 ms',
      },
    ]
  } finally {
    await browser.close()
    upstream.kill()
    await loupe.remove()
  }
}

async function measureLoad({ url, field, prepare }: LoadedPage, throttle = 1): Promise<LoadMeasurement> {
  const browser = await chromium.launch(CHROMIUM_OPTIONS)
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await prepare?.(context)
    const tab = await context.newPage()
    let requests = 0
    const bodies: Promise<{ url: string; code: string }>[] = []
    tab.on('response', (response) => {
      requests++
      if (response.request().resourceType() !== 'script') return
      bodies.push(response.text().then((code) => ({ url: response.url(), code })))
    })
    const session = await context.newCDPSession(tab)
    if (throttle > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
    await tab.addInitScript(() => {
      Reflect.set(window, 'blocked', 0)
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          Reflect.set(window, 'blocked', Number(Reflect.get(window, 'blocked')) + duration - 50)
      }).observe({ type: 'longtask', buffered: true })
    })
    await tab.goto(url, { waitUntil: 'commit' })
    const usable = await getVisibleTime(tab, { selector: field })
    await tab.waitForLoadState('networkidle')
    const scripts = await Promise.all(bodies)
    const blocked = await tab.evaluate(() => Number(Reflect.get(window, 'blocked')))
    return {
      js: scripts.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0),
      requests,
      usable,
      blocked,
      scripts: scripts.filter((script) => script.url.includes('/assets/')).map(({ code }) => code),
    }
  } finally {
    await browser.close()
  }
}
