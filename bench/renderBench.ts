import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { CHROMIUM_OPTIONS } from '#support/chromium.ts'
import type { Figure } from './figure.ts'
import { type TraceResult, tracePage } from './pageTrace.ts'
import type { Rendered } from './render/app.tsx'

type RenderMethod = 'loupe' | 'streamdown' | 'naive'
interface RenderCase {
  method: RenderMethod
  tokens: number
  rate: number
  throttle?: number
  /** Tokens that stand there already: only the rest is measured. */
  prefill?: number
}

/** The whole text parsed at each of 20,000 tokens would take half an hour, so of that only the last 100 are drawn. */
const RENDER_CASES: RenderCase[] = [
  { method: 'loupe', tokens: 4000, rate: 100 },
  { method: 'loupe', tokens: 4000, rate: 500 },
  { method: 'loupe', tokens: 4000, rate: 500, throttle: 4 },
  { method: 'loupe', tokens: 20_000, rate: 100 },
  { method: 'loupe', tokens: 20_000, rate: 500 },
  { method: 'streamdown', tokens: 4000, rate: 500 },
  { method: 'streamdown', tokens: 20_000, rate: 500 },
  { method: 'naive', tokens: 4000, rate: 100 },
  { method: 'naive', tokens: 20_000, rate: 500, prefill: 19_900 },
]

/** What it costs to draw a markdown answer while it comes: Loupe's way, streamdown, and parsing the whole at each token. */
export async function runRenderBench(): Promise<Figure[]> {
  const site = await serve()
  const browser = await chromium.launch(CHROMIUM_OPTIONS)
  try {
    const measured = new Map<RenderCase, TraceResult<Rendered>>()
    for (const one of RENDER_CASES) measured.set(one, await measureCase(browser, site.url, one))
    return toFigures(measured)
  } finally {
    await browser.close()
    site.close()
  }
}

/** One case alone. */
export async function renderCase(one: RenderCase): Promise<TraceResult<Rendered>> {
  const site = await serve()
  const browser = await chromium.launch(CHROMIUM_OPTIONS)
  try {
    return await measureCase(browser, site.url, one)
  } finally {
    await browser.close()
    site.close()
  }
}

async function measureCase(browser: Browser, url: string, one: RenderCase): Promise<TraceResult<Rendered>> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  try {
    const query = Object.entries(one).map(([name, value]): [string, string] => [name, String(value)])
    await page.goto(`${url}/?${new URLSearchParams(query).toString()}`)
    await page.waitForFunction(() => 'play' in window)
    const play = () => page.evaluate(() => (window as unknown as { play: () => Promise<Rendered> }).play())
    return await tracePage(page, play, one.throttle)
  } finally {
    await page.close()
  }
}

function toFigures(measured: Map<RenderCase, TraceResult<Rendered>>): Figure[] {
  const figures: Figure[] = []
  const perThousand = new Map<string, number>()
  for (const [{ method, tokens, rate, throttle = 1, prefill = 0 }, { value, busy, longestTaskMs, heap }] of measured) {
    const what = `${method} ${tokens} at ${rate}/s${throttle > 1 ? `, ${throttle}x throttle` : ''}${prefill ? `, last ${tokens - prefill}` : ''}`
    const cost = (busy / (tokens - prefill)) * 1000
    if (throttle === 1) perThousand.set(`${method} ${tokens} ${rate}`, cost)
    const isGoal = method === 'loupe' && rate === 500
    figures.push(
      { bench: 'render', what: `${what}: busy per 1,000 tokens`, value: cost, unit: 'ms' },
      {
        bench: 'render',
        what: `${what}: longest task`,
        value: longestTaskMs,
        unit: 'ms',
        ...(isGoal ? { goal: '< 50 ms' } : {}),
      },
      {
        bench: 'render',
        what: `${what}: frames dropped`,
        value: (value.dropped / Math.max(1, value.frames + value.dropped)) * 100,
        unit: '%',
        ...(isGoal ? { goal: '< 1 %' } : {}),
      },
      { bench: 'render', what: `${what}: heap after`, value: heap, unit: 'MiB' },
    )
  }
  const of = (name: string) => perThousand.get(name) ?? Number.NaN
  return [
    ...figures,
    {
      bench: 'render',
      what: 'busy per 1,000 tokens, 20,000 to 4,000 tokens at 500/s',
      value: of('loupe 20000 500') / of('loupe 4000 500'),
      unit: 'times',
      goal: '<= 1.6 times',
    },
    {
      bench: 'render',
      what: 'busy, 20,000 tokens at 500/s',
      value: of('loupe 20000 500') / of('streamdown 20000 500'),
      unit: 'times streamdown',
      against: 'streamdown',
      goal: '<= 0.6 times',
    },
  ]
}

/** The page of the bench, built as the app is built. */
async function serve(): Promise<{ url: string; close: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-render-'))
  await build({
    root: 'bench/render',
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: { outDir: folder, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 100_000 },
  })
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = name === '/' ? join(folder, 'index.html') : join(folder, 'assets', basename(name))
    if (!existsSync(file)) return void response.writeHead(404).end()
    const type = file.endsWith('.html') ? 'text/html' : file.endsWith('.css') ? 'text/css' : 'text/javascript'
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
