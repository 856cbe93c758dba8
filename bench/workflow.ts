import { randomUUID } from 'node:crypto'
import { chromium } from '@playwright/test'
import { block, openStream, ScriptedPlatform } from '../e2e/faults/platform.ts'
import { Loupe, SETUP_TOKEN } from '../e2e/loupe.ts'
import { CHROMIUM } from '../e2e/chromium.ts'
import type { Figure } from './figure.ts'
import { clickedUntil } from './seen.ts'
import { traced } from './trace.ts'

/** Node events of the run, half of them in the rounds of one iteration, and how many come every `PACE` milliseconds. */
const EVENTS = 5_000
const ROUND = 5
const AT_ONCE = 10
const PACE = 20
const BEGAN = 1_795_000_000
/** Of its timeline: the head, the iteration, its rounds, the nodes in them and behind them. */
const LINES = 2 + EVENTS / 4 / ROUND + EVENTS / 2

/** A workflow run of 5,000 node events: watched while it streams, opened when it is over, scrolled through. */
export async function workflow(): Promise<Figure[]> {
  const platform = await ScriptedPlatform.start()
  const loupe = await new Loupe({ PLATFORM: 'off' }).start()
  const browser = await chromium.launch(CHROMIUM)
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const post = async (path: string, data: unknown, headers: Record<string, string> = {}) => {
      const response = await context.request.post(loupe.url + path, {
        headers: { 'x-console': '1', ...headers },
        data,
      })
      if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`)
      return (await response.json()) as { id: string }
    }
    await post('/api/session', { token: SETUP_TOKEN })
    const workspace = (await post('/api/workspaces', { name: 'bench', base_url: platform.url })).id
    const key = (
      await post(`/api/workspaces/${workspace}/keys`, { kind: 'workflow', label: 'bench', key: 'app-bench' })
    ).id
    let watched: () => void = () => undefined
    const isWatched = new Promise<void>((resolve) => (watched = resolve))
    const workflow_run_id = randomUUID()
    platform.script = async (seen, response) => {
      if (seen.method === 'GET') return void response.writeHead(404).end()
      openStream(response)
      const events = eventsOf(workflow_run_id)
      response.write(events.slice(0, 2).join(''))
      await isWatched
      for (let at = 2; at < events.length; at += AT_ONCE) {
        response.write(events.slice(at, at + AT_ONCE).join(''))
        await new Promise((resolve) => setTimeout(resolve, PACE))
      }
      response.end()
    }
    const run_id = randomUUID()
    await post(
      `/api/keys/${key}/workflows/run`,
      { inputs: { topic: 'tea' }, user: 'bench', response_mode: 'streaming' },
      { 'run-id': run_id, prefer: 'respond-async' },
    )
    await page.goto(`${loupe.url}/workflows?workspace=${workspace}&app=${key}&run=${run_id}&tab=request`)
    const grid = page.getByRole('treegrid', { name: 'Timeline' })
    await grid.waitFor()
    const streaming = await traced(page, async () => {
      watched()
      await page.locator(`[role=treegrid][aria-rowcount="${LINES}"]`).waitFor({ timeout: 120_000 })
      await page.getByRole('button', { name: 'Stop watching' }).waitFor({ state: 'detached', timeout: 120_000 })
    })
    await page.goto(`${loupe.url}/runs?workspace=${workspace}`)
    const link = page.getByRole('link', { name: 'tea' })
    await link.waitFor()
    const opening = await traced(page, async () => {
      const [opened = Number.NaN] = await clickedUntil(page, link, [
        { selector: '[role=treegrid] [role=row]', count: 6 },
      ])
      return opened
    })
    const scrolling = await traced(page, () =>
      grid.evaluate(async (element) => {
        const view = [...element.querySelectorAll('*')].find((one) => one.scrollHeight > one.clientHeight + 100)
        if (!view) throw new Error('nothing scrolls')
        const step = Math.max(view.clientHeight, view.scrollHeight / 200)
        for (let top = 0; top < view.scrollHeight; top += step) {
          view.scrollTop = top
          await new Promise(requestAnimationFrame)
        }
      }),
    )
    const what = `run of ${EVENTS.toLocaleString('en')} node events`
    const bench = 'workflow'
    const task = (
      when: string,
      { longest, longestWork }: { longest: number; longestWork: number },
      goal?: string,
    ): Figure => ({
      bench,
      what: `${what}: longest task while ${when}`,
      value: longest,
      unit: 'ms',
      against: `its own time ${longestWork.toFixed(0)} ms`,
      ...(goal ? { goal } : {}),
    })
    return [
      { bench, what: `${what}: until its timeline is there`, value: opening.value, unit: 'ms', goal: '< 1000 ms' },
      task('opening', opening),
      task('it streams', streaming, '< 50 ms'),
      task('scrolling', scrolling, '< 50 ms'),
    ]
  } finally {
    await browser.close()
    await loupe.remove()
    await platform.close()
  }
}

function eventsOf(workflow_run_id: string): string[] {
  const event = (name: string, data: Record<string, unknown>) =>
    block({ event: name, task_id: 't', workflow_run_id, data })
  const events = [event('workflow_started', { id: workflow_run_id, workflow_id: 'w', created_at: BEGAN })]
  const node = (id: string, node_id: string, more: Record<string, unknown>, at: number) => {
    const same = { id, node_id, node_type: 'code', title: `Node ${node_id}`, created_at: BEGAN + at, ...more }
    events.push(event('node_started', { ...same, inputs: { text: 'What goes in.' } }))
    events.push(
      event('node_finished', {
        ...same,
        status: 'succeeded',
        elapsed_time: 0.01,
        outputs: { text: 'What comes out.' },
      }),
    )
  }
  const iteration = { id: 'i-x', node_id: 'i', node_type: 'iteration', title: 'Each of many' }
  events.push(
    event('iteration_started', { ...iteration, created_at: BEGAN, metadata: { iterator_length: EVENTS / 20 } }),
  )
  let count = 0
  for (let round = 0; count < EVENTS / 4; round++) {
    events.push(event('iteration_next', { ...iteration, index: round }))
    for (let step = 0; step < ROUND; step++)
      node(
        `r-${count++}`,
        `s${step}`,
        { iteration_id: 'i', execution_metadata: { iteration_index: round } },
        round / 10,
      )
  }
  events.push(event('iteration_completed', { ...iteration, status: 'succeeded', elapsed_time: 25 }))
  for (let step = 0; step < EVENTS / 4; step++)
    node(`n-${step}`, `n${step}`, { predecessor_node_id: `n${step - 1}` }, 25)
  events.push(
    event('workflow_finished', { id: workflow_run_id, status: 'succeeded', elapsed_time: 40, total_steps: count }),
  )
  return events
}
