import { randomUUID } from 'node:crypto'
import { chromium } from '@playwright/test'
import { toEventBlock, openStream, ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'
import { createJsonSender } from '#support/postJson.ts'
import { CHROMIUM_OPTIONS } from '#support/chromium.ts'
import type { Figure } from './figure.ts'
import { measureClickUntilVisible } from './elementTiming.ts'
import { tracePage } from './pageTrace.ts'

/** Node events of the run, half of them in the rounds of one iteration, and how many come every `PACE` milliseconds. */
const EVENT_COUNT = 5_000
const EVENTS_PER_ROUND = 5
const EVENTS_PER_TICK = 10
const TICK_INTERVAL_MS = 20
const STARTED_AT_S = 1_795_000_000
/** Of its timeline: the head, the iteration, its rounds, the nodes in them and behind them. */
const TIMELINE_ROWS = 2 + EVENT_COUNT / 4 / EVENTS_PER_ROUND + EVENT_COUNT / 2

/** A workflow run of 5,000 node events: watched while it streams, opened when it is over, scrolled through. */
export async function runWorkflowBench(): Promise<Figure[]> {
  const platform = await ScriptedPlatform.start()
  const loupe = await new LoupeProcess({ PLATFORM: 'off' }).start()
  const browser = await chromium.launch(CHROMIUM_OPTIONS)
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const postJson = createJsonSender(context.request, loupe.url)
    await postJson('/api/session', { token: SETUP_TOKEN })
    const workspace = (await postJson('/api/workspaces', { name: 'bench', base_url: platform.url })).id
    const key = (
      await postJson(`/api/workspaces/${workspace}/keys`, { kind: 'workflow', label: 'bench', key: 'app-bench' })
    ).id
    let watched: () => void = () => undefined
    const isWatched = new Promise<void>((resolve) => (watched = resolve))
    const workflow_run_id = randomUUID()
    platform.script = async (seen, response) => {
      if (seen.method === 'GET') return void response.writeHead(404).end()
      openStream(response)
      const events = createEvents(workflow_run_id)
      response.write(events.slice(0, 2).join(''))
      await isWatched
      for (let at = 2; at < events.length; at += EVENTS_PER_TICK) {
        response.write(events.slice(at, at + EVENTS_PER_TICK).join(''))
        await new Promise((resolve) => setTimeout(resolve, TICK_INTERVAL_MS))
      }
      response.end()
    }
    const run_id = randomUUID()
    await postJson(
      `/api/keys/${key}/workflows/run`,
      { inputs: { topic: 'tea' }, user: 'bench', response_mode: 'streaming' },
      { 'run-id': run_id, prefer: 'respond-async' },
    )
    await page.goto(`${loupe.url}/workflows?workspace=${workspace}&app=${key}&run=${run_id}&tab=request`)
    const grid = page.getByRole('treegrid', { name: 'Timeline' })
    await grid.waitFor()
    const streaming = await tracePage(page, async () => {
      watched()
      await page.locator(`[role=treegrid][aria-rowcount="${TIMELINE_ROWS}"]`).waitFor({ timeout: 120_000 })
      await page.getByRole('button', { name: 'Stop watching' }).waitFor({ state: 'detached', timeout: 120_000 })
    })
    await page.goto(`${loupe.url}/runs?workspace=${workspace}`)
    const link = page.getByRole('link', { name: 'tea' })
    await link.waitFor()
    const opening = await tracePage(page, async () => {
      const [opened = Number.NaN] = await measureClickUntilVisible(page, link, [
        { selector: '[role=treegrid] [role=row]', count: 6 },
      ])
      return opened
    })
    const scrolling = await tracePage(page, () =>
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
    const what = `run of ${EVENT_COUNT.toLocaleString('en')} node events`
    const testConsole = 'workflow'
    const task = (
      when: string,
      { longestTaskMs, longestTaskCpuMs }: { longestTaskMs: number; longestTaskCpuMs: number },
      goal?: string,
    ): Figure => ({
      bench: testConsole,
      what: `${what}: longest task while ${when}`,
      value: longestTaskMs,
      unit: 'ms',
      against: `its own time ${longestTaskCpuMs.toFixed(0)} ms`,
      ...(goal ? { goal } : {}),
    })
    return [
      {
        bench: testConsole,
        what: `${what}: until its timeline is there`,
        value: opening.value,
        unit: 'ms',
        goal: '< 1000 ms',
      },
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

function createEvents(workflow_run_id: string): string[] {
  const event = (name: string, data: Record<string, unknown>) =>
    toEventBlock({ event: name, task_id: 't', workflow_run_id, data })
  const events = [event('workflow_started', { id: workflow_run_id, workflow_id: 'w', created_at: STARTED_AT_S })]
  const node = (id: string, node_id: string, more: Record<string, unknown>, at: number) => {
    const same = { id, node_id, node_type: 'code', title: `Node ${node_id}`, created_at: STARTED_AT_S + at, ...more }
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
    event('iteration_started', {
      ...iteration,
      created_at: STARTED_AT_S,
      metadata: { iterator_length: EVENT_COUNT / 20 },
    }),
  )
  let count = 0
  for (let round = 0; count < EVENT_COUNT / 4; round++) {
    events.push(event('iteration_next', { ...iteration, index: round }))
    for (let step = 0; step < EVENTS_PER_ROUND; step++)
      node(
        `r-${count++}`,
        `s${step}`,
        { iteration_id: 'i', execution_metadata: { iteration_index: round } },
        round / 10,
      )
  }
  events.push(event('iteration_completed', { ...iteration, status: 'succeeded', elapsed_time: 25 }))
  for (let step = 0; step < EVENT_COUNT / 4; step++)
    node(`n-${step}`, `n${step}`, { predecessor_node_id: `n${step - 1}` }, 25)
  events.push(
    event('workflow_finished', { id: workflow_run_id, status: 'succeeded', elapsed_time: 40, total_steps: count }),
  )
  return events
}
