import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { readAppKeys } from '#support/appKeys.ts'
import { startModelServer } from '#support/platforms/modelServer.ts'
import {
  createPreparedLoupe,
  type KillOptions,
  openPlatform,
  pollUntil,
  readAllFrames,
  type SendRequest,
  signIn,
} from './consoleClient.ts'

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

const MAX_DELAY_MS = 180_000
const POLL_OPTIONS = { intervalMs: 250, timeoutMs: MAX_DELAY_MS }

/**
 * Runs workflows on a built-in platform in a process of its own, kills the console with `kill -9` while their answers are
 * written, and starts it again. Each run must end with the platform's outcome and text, with every node once, and without a
 * frame twice. An answer has so many `words`, `gapMs` apart: a run outlives the restart.
 */
export async function killWhileWorkflows({
  cycles,
  streams,
  words = 100,
  gapMs = 300,
  env = {},
  onCycle,
}: KillOptions<ReattachCycle> & { streams: number; words?: number; gapMs?: number }): Promise<ReattachCycle[]> {
  const texts = Array.from({ length: words }, (_, index) => `word${index} `)
  const model = await startModelServer(texts, gapMs)
  const platform = await createPreparedLoupe({ MODEL_BASE_URL: model.url, MODEL_NAME: 'slow' })
  const loupe = await createPreparedLoupe({ PLATFORM: 'off', RATE_LIMIT_FACTOR: '1000', ...env })
  try {
    await Promise.all([platform.start(), loupe.start()])
    const { send } = await signIn(loupe)
    const secret = readAppKeys(platform).workflow ?? ''
    const made = { name: 'Platform', base_url: platform.platform }
    const { id: workspace } = await send<{ id: string }>('POST', '/api/workspaces', made)
    const given = { kind: 'workflow', label: 'Answers', key: secret }
    const { id: key } = await send<{ id: string }>('POST', `/api/workspaces/${workspace}/keys`, given)
    const inputs = { query: 'What happens to a run when I close the tab?' }
    const body = { inputs, user: 'reattach', response_mode: 'streaming' }
    const all: ReattachCycle[] = []
    for (let cycle = 0; cycle < cycles; cycle++) {
      const ids = Array.from({ length: streams }, () => randomUUID())
      const start = (id: string) =>
        send('POST', `/api/keys/${key}/workflows/run`, body, { 'run-id': id, prefer: 'respond-async' })
      await Promise.all(ids.map(start))
      await untilTextComes(send, ids)
      await wait(Math.random() * 1_000)
      await loupe.kill()
      await loupe.start()
      const result = await inspectRuns(send, ids, openPlatform(platform, secret), texts.join(''))
      onCycle?.(result)
      all.push(result)
    }
    return all
  } finally {
    await loupe.remove()
    await platform.remove()
    model.close()
  }
}

const readRun = (send: SendRequest, id: string) => send<WorkflowRun>('GET', `/api/runs/${id}`)

/** Until the answer of each run is being written. @throws Error if one has no text in time, or has ended. */
async function untilTextComes(send: SendRequest, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const isBegun = ({ answer, status }: WorkflowRun) => answer.text !== '' || !isActiveStatus(status)
    const { answer, status, problem, frames } = await pollUntil(() => readRun(send, id), isBegun, POLL_OPTIONS)
    if (!isActiveStatus(status)) throw new Error(`a run is ${status} before it is killed: ${problem?.message}`)
    if (answer.text === '') throw new Error(`a run has no text after ${MAX_DELAY_MS} ms; it has ${frames} frames`)
  }
}

async function inspectRuns(
  send: SendRequest,
  ids: readonly string[],
  askPlatform: SendRequest,
  text: string,
): Promise<ReattachCycle> {
  const startedAt = performance.now()
  const counts = { framesBefore: 0, framesAfter: 0, takenUp: 0, endedMeanwhile: 0, settled_ms: 0 }
  const result: ReattachCycle = { ...counts, ends: {}, problems: [] }
  const readAll = () => Promise.all(ids.map((id) => readRun(send, id)))
  const runs = await pollUntil(readAll, (list) => list.every(({ status }) => !isActiveStatus(status)), POLL_OPTIONS)
  result.settled_ms = Math.round(performance.now() - startedAt)
  for (const run of runs) {
    const gap = run.gaps?.at(-1)
    result.ends[run.status] = (result.ends[run.status] ?? 0) + 1
    result.takenUp += gap ? 1 : 0
    result.framesBefore += gap?.after_frame ?? 0
    result.framesAfter += gap ? run.frames - gap.after_frame : 0
    const hasEndedMeanwhile = gap !== undefined && run.frames === gap.after_frame + 1
    result.endedMeanwhile += hasEndedMeanwhile ? 1 : 0
    const problems = isActiveStatus(run.status)
      ? [`has not ended after ${MAX_DELAY_MS} ms`]
      : [
          ...(await compareWithPlatform(run, askPlatform, { text, hasAllNodes: !hasEndedMeanwhile })),
          ...(await findRepeats(send, run)),
        ]
    if (problems.length > 0) result.problems.push(`${run.id}: ${problems.join('; ')}`)
  }
  return result
}

/** What the console says of a run against the platform's record of it. */
async function compareWithPlatform(
  { workflow_run_id, status, answer }: WorkflowRun,
  askPlatform: SendRequest,
  { text, hasAllNodes }: { text: string; hasAllNodes: boolean },
): Promise<string[]> {
  const record = await askPlatform<{ status: string; total_steps: number; outputs: unknown }>(
    'GET',
    `/workflows/run/${workflow_run_id}`,
  )
  const outputs = asRecord(typeof record.outputs === 'string' ? JSON.parse(record.outputs) : record.outputs) ?? {}
  const problems: string[] = []
  if (status !== record.status) problems.push(`is ${status}, and ${record.status} at the platform`)
  if (JSON.stringify(answer.outputs) !== JSON.stringify(outputs)) problems.push('has other outputs than the platform')
  if (String(outputs.answer).trim() !== text.trim()) problems.push('has not the whole text')
  if (!hasAllNodes) return problems
  if (answer.nodes.length !== record.total_steps)
    problems.push(`has ${answer.nodes.length} of ${record.total_steps} nodes`)
  const unfinished = answer.nodes.filter((node) => node.status !== 'succeeded')
  return [...problems, ...unfinished.map((node) => `node ${node.title} is ${node.status}`)]
}

/** Frames are numbered without a gap, and no node has started or finished twice. */
async function findRepeats(send: SendRequest, { id }: WorkflowRun): Promise<string[]> {
  const frames = await readAllFrames(send, id)
  const gap = frames.findIndex(({ seq }, index) => seq !== index + 1)
  const steps = frames.flatMap(({ block }) => {
    const event = asRecord(parseBlockEvent(block))
    const name = String(event?.event)
    return name.startsWith('node_') ? [`${name} ${String(asRecord(event?.data)?.id)}`] : []
  })
  const repeated = steps.filter((step, index) => steps.indexOf(step) !== index)
  return [...(gap < 0 ? [] : [`has a gap before frame ${gap + 1}`]), ...repeated.map((step) => `has ${step} twice`)]
}
