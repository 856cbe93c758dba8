import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, preview } from 'vite'
import { launchBrowser, type TraceResult, tracePage } from '../benchPage.ts'
import { type Figure, toFigure } from '../figures.ts'
import type { Rendered } from './app.tsx'

interface RenderCase {
  method: 'loupe' | 'streamdown' | 'naive'
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
export const runRenderBench = (): Promise<Figure[]> =>
  withRenderPage(async (measure) => {
    const figures: Figure[] = []
    const costs = new Map<string, number>()
    for (const one of RENDER_CASES) {
      const { method, tokens, rate, throttle = 1, prefill = 0 } = one
      const { value, busy, longestTaskMs, heap } = await measure(one)
      const what = `${method} ${tokens} at ${rate}/s${throttle > 1 ? `, ${throttle}x throttle` : ''}${prefill ? `, last ${tokens - prefill}` : ''}`
      const cost = (busy / (tokens - prefill)) * 1000
      if (throttle === 1) costs.set(`${method} ${tokens} ${rate}`, cost)
      const dropped = (value.dropped / Math.max(1, value.frames + value.dropped)) * 100
      const toGoal = (goal: string) => (method === 'loupe' && rate === 500 ? { goal } : {})
      figures.push(
        toFigure(`${what}: busy per 1,000 tokens`, cost, 'ms'),
        toFigure(`${what}: longest task`, longestTaskMs, 'ms', toGoal('< 50 ms')),
        toFigure(`${what}: frames dropped`, dropped, '%', toGoal('< 1 %')),
        toFigure(`${what}: heap after`, heap, 'MiB'),
      )
    }
    const [short = 0, long = 0, other = 0] = ['loupe 4000 500', 'loupe 20000 500', 'streamdown 20000 500'].map((name) =>
      costs.get(name),
    )
    return [
      ...figures,
      toFigure('busy per 1,000 tokens, 20,000 to 4,000 tokens at 500/s', long / short, 'times', {
        goal: '<= 1.6 times',
      }),
      toFigure('busy, 20,000 tokens at 500/s', long / other, 'times streamdown', {
        against: 'streamdown',
        goal: '<= 0.6 times',
      }),
    ]
  })

/** One case alone. */
export const renderCase = (one: RenderCase): Promise<TraceResult<Rendered>> => withRenderPage((measure) => measure(one))

/** Builds the page of the bench as the app is built, and opens it in a browser. */
async function withRenderPage<Result>(
  use: (measure: (one: RenderCase) => Promise<TraceResult<Rendered>>) => Promise<Result>,
): Promise<Result> {
  const outDir = mkdtempSync(join(tmpdir(), 'loupe-render-'))
  const config: InlineConfig = { root: 'bench/render', configFile: false, logLevel: 'warn', plugins: [react()] }
  await build({ ...config, build: { outDir, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 100_000 } })
  const site = await preview({ ...config, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
  const browser = await launchBrowser()
  try {
    return await use(async (one) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      const query = Object.entries(one).map(([name, value]): [string, string] => [name, String(value)])
      await page.goto(`${site.resolvedUrls?.local[0]}?${new URLSearchParams(query).toString()}`)
      await page.waitForFunction(() => 'play' in window)
      const play = () => page.evaluate(() => (window as unknown as { play: () => Promise<Rendered> }).play())
      return await tracePage(page, play, one.throttle).finally(() => page.close())
    })
  } finally {
    await browser.close()
    await site.close()
    rmSync(outDir, { recursive: true, force: true })
  }
}
