import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { Loupe, SETUP_TOKEN } from '../e2e/loupe.ts'
import { consoleOf, freePort, median, startUpstream } from './relay.ts'
import { drawn } from './render.ts'
import { traced } from './trace.ts'
import { CHROMIUM } from '../e2e/chromium.ts'
import type { Figure } from './figure.ts'
import { seenAt } from './seen.ts'

const ROUNDS = 3

/** What the official starter needs at 4x CPU throttle, milliseconds (measured once, on such a machine): until it is usable, and blocked meanwhile. */
const STARTER = { usable: 1200, blocked: 240 }
const TOKENS = 4000
const RATE = 500

interface Loaded {
  js: number
  requests: number
  usable: number
  /** What its tasks took over 50 ms each. */
  blocked: number
}

/** What the chat page costs: on its first load, also on a slow machine, and while a long answer comes through the whole app. */
export async function page(): Promise<Figure[]> {
  const loupe = await new Loupe().start()
  try {
    const loads: Loaded[] = []
    const slow: Loaded[] = []
    for (let round = 0; round < ROUNDS; round++) {
      loads.push(await load(loupe))
      slow.push(await load(loupe, 4))
    }
    const of = (from: Loaded[], figure: keyof Loaded) => median(from.map((one) => one[figure]))
    return [
      {
        bench: 'page',
        what: 'JavaScript of /chat, gzip -9',
        value: of(loads, 'js') / 1024,
        unit: 'KiB',
        against: 'official starter 465',
        goal: '<= 240, aim 200',
      },
      { bench: 'page', what: 'requests of /chat', value: of(loads, 'requests'), unit: 'requests' },
      { bench: 'page', what: 'until a question can be typed', value: of(loads, 'usable'), unit: 'ms' },
      {
        bench: 'page',
        what: 'until a question can be typed, 4x throttle',
        value: of(slow, 'usable') / STARTER.usable,
        unit: 'times the official starter',
        against: `${of(slow, 'usable').toFixed(0)} ms to ${STARTER.usable}`,
        goal: '<= 0.7 times',
      },
      {
        bench: 'page',
        what: 'blocked meanwhile, 4x throttle',
        value: of(slow, 'blocked') / STARTER.blocked,
        unit: 'times the official starter',
        against: `${of(slow, 'blocked').toFixed(0)} ms to ${STARTER.blocked}`,
        goal: '<= 0.5 times',
      },
      ...(await answer()),
    ]
  } finally {
    await loupe.remove()
  }
}

/** An answer through the whole app: platform, relay, ledger, line, transcript and inspector; against a page that parses it all at each token. */
async function answer(): Promise<Figure[]> {
  const port = await freePort()
  const upstream = await startUpstream(port)
  const loupe = await new Loupe({ PLATFORM: 'off' }).start()
  const browser = await chromium.launch(CHROMIUM)
  try {
    const { cookie, pathOf } = await consoleOf(loupe, port)
    await pathOf('chat')
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: loupe.url }])
    const tab = await context.newPage()
    await tab.goto(`${loupe.url}/chat`)
    await tab.locator('main textarea').first().fill(`go n=${TOKENS} rate=${RATE} md=1`)
    await tab.waitForLoadState('networkidle')
    const { busy, longest, longestWork } = await traced(tab, async () => {
      await tab.keyboard.press('Control+Enter')
      // It stands under an answer that has ended.
      await seenAt(tab, { selector: '[role=log] article', text: 'speed' })
    })
    const naive = await drawn({ way: 'naive', tokens: TOKENS, rate: RATE })
    const what = `an answer of ${TOKENS} tokens at ${RATE}/s through the whole app`
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
        value: longest,
        unit: 'ms',
        against: `its own time ${longestWork.toFixed(0)} ms`,
        goal: '< 50 ms',
      },
    ]
  } finally {
    await browser.close()
    upstream.kill()
    await loupe.remove()
  }
}

async function load(loupe: Loupe, throttle = 1): Promise<Loaded> {
  const browser = await chromium.launch(CHROMIUM)
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await context.request.post(`${loupe.url}/api/session`, {
      headers: { 'x-console': '1' },
      data: { token: SETUP_TOKEN },
    })
    const tab = await context.newPage()
    let js = 0
    let requests = 0
    const bodies: Promise<void>[] = []
    tab.on('response', (response) => {
      requests++
      if (response.request().resourceType() !== 'script') return
      bodies.push(
        response.body().then((body) => {
          js += gzipSync(body, { level: 9 }).length
        }),
      )
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
    await tab.goto(`${loupe.url}/chat`, { waitUntil: 'commit' })
    const usable = await seenAt(tab, { selector: 'main textarea' })
    await tab.waitForLoadState('networkidle')
    await Promise.all(bodies)
    const blocked = await tab.evaluate(() => Number(Reflect.get(window, 'blocked')))
    return { js, requests, usable, blocked }
  } finally {
    await browser.close()
  }
}
