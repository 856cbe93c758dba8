import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Frame, isActiveStatus, type Run } from '#contract/console/runs.ts'
import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { readAppKeys } from '#support/appKeys.ts'
import { startModelServer } from '#support/platforms/modelServer.ts'
import { createPreparedLoupe, type SendRequest, signIn } from './consoleClient.ts'

export interface ReattachOptions {
  cycles: number
  /** Workflow runs at each kill. */
  streams: number
  /** Words of each answer, and milliseconds between two of them: a run outlives the restart. */
  words?: number
  gapMs?: number
  /** Additional environment of the console. */
  env?: Record<string, string>
  tell?: (cycle: ReattachCycle) => void
}

/** What became of the runs that were active at one kill. */
export interface ReattachCycle {
  /** Frames that were stored at the kill, and after it. */
  framesBefore: number
  framesAfter: number
  /** Runs that were taken up: their stream has a gap. */
  takenUp: number
  /** Those that ended before they were taken up: of these the platform tells the result only, and no further node. */
  endedMeanwhile: number
  /** Milliseconds from the restart until every run had ended. */
  settled_ms: number
  /** Number of runs by final status. */
  ends: Record<string, number>
  /** Errors, one line per run. */
  problems: string[]
}

type WorkflowRun = Run & { answer: RunState }

const MAX_TEXT_DELAY_MS = 180_000
const MAX_END_DELAY_MS = 180_000
const POLL_INTERVAL_MS = 250

/**
 * Runs workflows on a built-in platform in a process of its own, kills the console with `kill -9` while their answers are
 * written, and starts it again. Each run must end with the platform's outcome and text, with every node once, and without a
 * frame twice.
 */
export async function killWhileWorkflows({
  cycles,
  streams,
  words = 100,
  gapMs = 300,
  env = {},
  tell,
}: ReattachOptions): Promise<ReattachCycle[]> {
  const texts = Array.from({ length: words }, (_, index) => `word${index} `)
  const model = await startModelServer(texts, gapMs)
  const platform = await createPreparedLoupe({ MODEL_BASE_URL: model.url, MODEL_NAME: 'slow' })
  const loupe = await createPreparedLoupe({ PLATFORM: 'off', RATE_LIMIT_FACTOR: '1000', ...env })
  try {
    await Promise.all([platform.start(), loupe.start()])
    const { send } = await signIn(loupe)
    const app = { base_url: platform.platform, key: readAppKeys(platform).workflow ?? '' }
    const { id: workspace } = await send<{ id: string }>('POST', '/api/workspaces', {
      name: 'Platform',
      base_url: app.base_url,
    })
    const { id: key } = await send<{ id: string }>('POST', `/api/workspaces/${workspace}/keys`, {
      kind: 'workflow',
      label: 'Answers',
      key: app.key,
    })
    const ended: ReattachCycle[] = []
    for (let cycle = 0; cycle < cycles; cycle++) {
      const ids = Array.from({ length: streams }, () => randomUUID())
      await Promise.all(ids.map((id) => startRun(send, key, id)))
      await untilTextComes(send, ids)
      await wait(Math.random() * 1_000)
      await loupe.kill()
      await loupe.start()
      const result = await inspectRuns(send, ids, app, texts.join(''))
      tell?.(result)
      ended.push(result)
    }
    return ended
  } finally {
    await loupe.remove()
    await platform.remove()
    model.close()
  }
}

async function startRun(send: SendRequest, key: string, id: string): Promise<void> {
  await send(
    'POST',
    `/api/keys/${key}/workflows/run`,
    {
      inputs: { query: 'What happens to a run when I close the tab?' },
      user: 'reattach',
      response_mode: 'streaming',
    },
    { 'run-id': id, prefer: 'respond-async' },
  )
}

/** Until the answer of each run is being written. @throws Error if one has no text in time, or has ended. */
async function untilTextComes(send: SendRequest, ids: readonly string[]): Promise<void> {
  const startedAt = performance.now()
  const waiting = new Set(ids)
  while (waiting.size > 0) {
    for (const id of waiting) {
      const { status, problem, answer, frames } = await readRun(send, id)
      if (!isActiveStatus(status)) throw new Error(`a run is ${status} before it is killed: ${problem?.message}`)
      if (answer.text !== '') waiting.delete(id)
      else if (performance.now() - startedAt > MAX_TEXT_DELAY_MS)
        throw new Error(
          `${waiting.size} runs have no text after ${MAX_TEXT_DELAY_MS} ms; one is ${status} with ${frames} frames`,
        )
    }
    await wait(POLL_INTERVAL_MS)
  }
}

const readRun = (send: SendRequest, id: string) => send<WorkflowRun>('GET', `/api/runs/${id}`)

async function inspectRuns(
  send: SendRequest,
  ids: readonly string[],
  app: { base_url: string; key: string },
  text: string,
): Promise<ReattachCycle> {
  const startedAt = performance.now()
  const runs = new Map<string, WorkflowRun>()
  while (runs.size < ids.length && performance.now() - startedAt < MAX_END_DELAY_MS) {
    for (const id of ids.filter((one) => !runs.has(one))) {
      const run = await readRun(send, id)
      if (!isActiveStatus(run.status)) runs.set(id, run)
    }
    await wait(POLL_INTERVAL_MS)
  }
  const result: ReattachCycle = {
    framesBefore: 0,
    framesAfter: 0,
    takenUp: 0,
    endedMeanwhile: 0,
    settled_ms: Math.round(performance.now() - startedAt),
    ends: {},
    problems: ids.filter((id) => !runs.has(id)).map((id) => `${id} has not ended after ${MAX_END_DELAY_MS} ms`),
  }
  for (const run of runs.values()) {
    const gap = run.gaps?.at(-1)
    result.ends[run.status] = (result.ends[run.status] ?? 0) + 1
    result.takenUp += gap ? 1 : 0
    result.framesBefore += gap?.after_frame ?? 0
    result.framesAfter += gap ? run.frames - gap.after_frame : 0
    const hasEndedMeanwhile = gap !== undefined && run.frames === gap.after_frame + 1
    result.endedMeanwhile += hasEndedMeanwhile ? 1 : 0
    const found = [
      ...(await compareWithPlatform(run, app, { text, hasAllNodes: !hasEndedMeanwhile })),
      ...(await findRepeats(send, run)),
    ]
    if (found.length > 0) result.problems.push(`${run.id}: ${found.join('; ')}`)
  }
  return result
}

/** What the console says of a run against the platform's record of it. */
async function compareWithPlatform(
  run: WorkflowRun,
  { base_url, key }: { base_url: string; key: string },
  { text, hasAllNodes }: { text: string; hasAllNodes: boolean },
): Promise<string[]> {
  const reply = await fetch(`${base_url}/workflows/run/${run.workflow_run_id}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const record = (await reply.json()) as { status: string; total_steps: number; outputs: unknown }
  const outputs = asRecord(typeof record.outputs === 'string' ? JSON.parse(record.outputs) : record.outputs) ?? {}
  const { nodes } = run.answer
  return [
    ...(run.status === record.status ? [] : [`is ${run.status}, and ${record.status} at the platform`]),
    ...(JSON.stringify(run.answer.outputs) === JSON.stringify(outputs) ? [] : ['has other outputs than the platform']),
    ...(String(outputs.answer).trim() === text.trim() ? [] : ['has not the whole text']),
    ...(!hasAllNodes || nodes.length === record.total_steps
      ? []
      : [`has ${nodes.length} of ${record.total_steps} nodes`]),
    ...nodes.flatMap(({ title, status }) =>
      status === 'succeeded' || !hasAllNodes ? [] : [`node ${title} is ${status}`],
    ),
  ]
}

/** Frames are numbered without a gap, and no node has started or finished twice. */
async function findRepeats(send: SendRequest, { id }: WorkflowRun): Promise<string[]> {
  const { data } = await send<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=1000`)
  const gap = data.findIndex(({ seq }, index) => seq !== index + 1)
  const steps = data.flatMap(({ block }) => {
    const event = asRecord(parseBlockEvent(block))
    const name = String(event?.event)
    return name.startsWith('node_') ? [`${name} ${String(asRecord(event?.data)?.id)}`] : []
  })
  const repeated = steps.filter((step, index) => steps.indexOf(step) !== index)
  return [...(gap < 0 ? [] : [`has a gap before frame ${gap + 1}`]), ...repeated.map((step) => `has ${step} twice`)]
}
