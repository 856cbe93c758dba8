import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import {
  block,
  message,
  messageEnd,
  newIds,
  openStream,
  refuse,
  type ScriptedPlatform,
  type Seen,
} from '../../e2e/faults/platform.ts'

const WORDS = 40

/** Answers chats, completions and workflows in about two seconds, in words of three scripts. */
export async function answerStreams({ method, path, body }: Seen, response: ServerResponse): Promise<void> {
  if (method === 'GET') return refuse(response, 404, { code: 'not_found', message: 'not here', status: 404 })
  const { response_mode } = JSON.parse(body) as { response_mode: string }
  if (path.endsWith('/workflows/run')) return runWorkflow(response)
  const ids = newIds()
  if (response_mode === 'blocking') {
    await wait(1_000 * Math.random())
    return refuse(response, 200, { event: 'message', ...ids, id: ids.message_id, mode: 'chat', answer: 'whole' })
  }
  openStream(response)
  for (let word = 1; word <= WORDS; word++) {
    response.write(message(ids, `word ${word} 绿茶 🍵 `))
    await pause()
  }
  response.end(messageEnd(ids, { usage: { total_tokens: WORDS } }))
}

/**
 * Has a platform talk on, a word each `every` milliseconds in each stream, until it is told to stop. It knows of no run that is
 * asked for, and answers the rows of a batch at once.
 * @returns what ends all streams
 */
export function talkOn(platform: ScriptedPlatform, every = 20): () => void {
  let isOver = false
  platform.seen.length = 0
  platform.script = ({ method, body }, response) => {
    if (method === 'GET') return refuse(response, 404, { code: 'not_found', message: 'not here', status: 404 })
    const ids = newIds()
    openStream(response)
    if (body.includes('"text":"row ')) return void response.end(message(ids, 'done') + messageEnd(ids))
    const timer = setInterval(() => {
      if (!isOver) return void response.write(message(ids, 'word 绿茶 '))
      clearInterval(timer)
      response.end(messageEnd(ids))
    }, every)
    response.once('close', () => clearInterval(timer))
  }
  return () => {
    isOver = true
  }
}

async function runWorkflow(response: ServerResponse): Promise<void> {
  const ids = { task_id: randomUUID(), workflow_run_id: randomUUID() }
  const data = { id: ids.workflow_run_id, workflow_id: randomUUID(), inputs: {}, created_at: 1_795_000_000 }
  openStream(response)
  response.write(block({ event: 'workflow_started', ...ids, data }))
  for (let node = 1; node <= WORDS / 2; node++) {
    const its = { id: `n${node}`, node_id: `n${node}`, node_type: 'code', title: `Node ${node}`, index: node }
    response.write(block({ event: 'node_started', ...ids, data: its }))
    await pause()
    response.write(block({ event: 'node_finished', ...ids, data: { ...its, status: 'succeeded', outputs: {} } }))
    await pause()
  }
  response.end(block({ event: 'workflow_finished', ...ids, data: { ...data, status: 'succeeded', outputs: {} } }))
}

const pause = () => wait(20 + 60 * Math.random())

/** How often the platform met each request, by the name that the browser gave it. */
export function timesAsked(platform: ScriptedPlatform): Map<string, number> {
  const times = new Map<string, number>()
  for (const { method, body } of platform.seen) {
    if (method !== 'POST') continue
    const name = String((JSON.parse(body) as { inputs: { name?: unknown } }).inputs.name)
    times.set(name, (times.get(name) ?? 0) + 1)
  }
  return times
}
