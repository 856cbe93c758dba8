import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import {
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
  type ScriptedPlatform,
  type RecordedRequest,
} from '#support/platforms/scriptedPlatform.ts'

const WORD_COUNT = 40

/** Answers chats, completions and workflows in about two seconds, in words of three scripts. */
export async function answerStreams({ method, path, body }: RecordedRequest, response: ServerResponse): Promise<void> {
  if (method === 'GET') return sendError(response, 404, { code: 'not_found', message: 'not here', status: 404 })
  const { response_mode } = JSON.parse(body) as { response_mode: string }
  if (path.endsWith('/workflows/run')) return runWorkflow(response)
  const ids = createAnswerIds()
  if (response_mode === 'blocking') {
    await wait(1_000 * Math.random())
    return sendError(response, 200, { event: 'message', ...ids, id: ids.message_id, mode: 'chat', answer: 'whole' })
  }
  openStream(response)
  for (let word = 1; word <= WORD_COUNT; word++) {
    response.write(toMessageBlock(ids, `word ${word} 绿茶 🍵 `))
    await waitRandomly()
  }
  response.end(toMessageEndBlock(ids, { usage: { total_tokens: WORD_COUNT } }))
}

/**
 * Has a platform talk on, a word each `every` milliseconds in each stream, until it is told to stop. It knows of no run that is
 * asked for, and answers the rows of a batch at once.
 * @returns what ends all streams
 */
export function streamForever(platform: ScriptedPlatform, every = 20): () => void {
  let isOver = false
  platform.requests.length = 0
  platform.script = ({ method, body }, response) => {
    if (method === 'GET') return sendError(response, 404, { code: 'not_found', message: 'not here', status: 404 })
    const ids = createAnswerIds()
    openStream(response)
    if (body.includes('"text":"row ')) return void response.end(toMessageBlock(ids, 'done') + toMessageEndBlock(ids))
    const timer = setInterval(() => {
      if (!isOver) return void response.write(toMessageBlock(ids, 'word 绿茶 '))
      clearInterval(timer)
      response.end(toMessageEndBlock(ids))
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
  response.write(toEventBlock({ event: 'workflow_started', ...ids, data }))
  for (let node = 1; node <= WORD_COUNT / 2; node++) {
    const its = { id: `n${node}`, node_id: `n${node}`, node_type: 'code', title: `Node ${node}`, index: node }
    response.write(toEventBlock({ event: 'node_started', ...ids, data: its }))
    await waitRandomly()
    response.write(toEventBlock({ event: 'node_finished', ...ids, data: { ...its, status: 'succeeded', outputs: {} } }))
    await waitRandomly()
  }
  response.end(
    toEventBlock({ event: 'workflow_finished', ...ids, data: { ...data, status: 'succeeded', outputs: {} } }),
  )
}

const waitRandomly = () => wait(20 + 60 * Math.random())

/** Number of requests that the platform received, by the id from the browser. */
export function countRequests(platform: ScriptedPlatform): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { method, body } of platform.requests) {
    if (method !== 'POST') continue
    const name = String((JSON.parse(body) as { inputs: { name?: unknown } }).inputs.name)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
