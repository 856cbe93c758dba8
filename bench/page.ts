import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { Loupe, SETUP_TOKEN } from '../e2e/loupe.ts'
import { median } from './relay.ts'
import type { Figure } from './figure.ts'
import { seenAt } from './seen.ts'

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const ROUNDS = 3

/** What the chat page costs on its first load: JavaScript (gzip -9), requests, and the time until a question can be typed. */
export async function page(): Promise<Figure[]> {
  const loupe = await new Loupe().start()
  try {
    const loads: { js: number; requests: number; usable: number }[] = []
    for (let round = 0; round < ROUNDS; round++) loads.push(await load(loupe))
    const of = (figure: 'js' | 'requests' | 'usable') => median(loads.map((one) => one[figure]))
    return [
      {
        bench: 'page',
        what: 'JavaScript of /chat, gzip -9',
        value: of('js') / 1024,
        unit: 'KiB',
        against: 'official starter 465',
        goal: '<= 240, aim 200',
      },
      { bench: 'page', what: 'requests of /chat', value: of('requests'), unit: 'requests' },
      { bench: 'page', what: 'until a question can be typed', value: of('usable'), unit: 'ms' },
    ]
  } finally {
    await loupe.remove()
  }
}

async function load(loupe: Loupe): Promise<{ js: number; requests: number; usable: number }> {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS })
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
    await tab.goto(`${loupe.url}/chat`, { waitUntil: 'commit' })
    const usable = await seenAt(tab, { selector: 'main textarea' })
    await tab.waitForLoadState('networkidle')
    await Promise.all(bodies)
    return { js, requests, usable }
  } finally {
    await browser.close()
  }
}
