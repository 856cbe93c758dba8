import { setTimeout as wait } from 'node:timers/promises'
import type { Batch } from '#contract/console/batches.ts'
import type { Run } from '#contract/console/runs.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import {
  createRequestedRun,
  readConsoleStream,
  readTexts,
  type RequestedRun,
  RUN_PATHS,
  toRunBody,
} from './browserClient.ts'
import { addAppKeys, type AppKind, type SendRequest } from './consoleClient.ts'
import { answerBatchRow, countSentRows, createBatch, findRowProblems, listRows, waitForEnd } from './killBatch.ts'
import { findLostFrames, type RunInspection, waitForShownFrames } from './killStreams.ts'
import { ServerGroup } from './serverGroup.ts'
import { answerStreams, countRequests } from './streamingPlatform.ts'

/** Result of one kill. */
export interface ServersKillCycle extends RunInspection {
  /** Streams that were resumed on another server. */
  resumeCount: number
}

/** A run that was posted to two servers concurrently and watched on others. */
interface CrossServerRun extends RequestedRun {
  /** Time of the request, in milliseconds of `performance.now()`. */
  startedAt: number
  endedAt: number
  /** Number of streams that replaced a broken one. */
  resumeCount: number
  /** Duplicate or out-of-order frames. */
  problems: string[]
}

/** The kill comes when so many frames of each stream have been shown on average, or fewer, and no later than that. */
const FRAMES_BEFORE_KILL = 25
const MAX_KILL_DELAY_MS = 6_000
/** Milliseconds: a dead server's lease, and the time after it by which each of its runs has to have ended. */
const LEASE_MS = 8_000
const MAX_END_DELAY_MS = 10_000
/**
 * Maximum age in ms of a server's last heartbeat when it was killed: the interval is two seconds, and more on a busy
 * machine.
 */
const MAX_HEARTBEAT_AGE_MS = 5_000
const RETRY_DELAY_MS = 30
const RUN_TIMEOUT_MS = 60_000

/**
 * Has several Loupes on one PostgreSQL read streams and work on a batch, and kills them in turn with `kill -9` while the
 * others go on. Each run is posted to two servers under one id and watched on others. What was shown must be in the
 * database, each frame once and in turn; the platform must have met no run and no row twice; each run must have ended soon
 * after the lease of a server that had it.
 */
export async function killServers({
  servers,
  kills,
  streams,
  rows,
  url,
  onCycle,
}: {
  servers: number
  kills: number
  /** Active runs at each kill, and rows of the concurrent batch. */
  streams: number
  rows: number
  /** Of an empty PostgreSQL database. */
  url: string
  onCycle?: (cycle: ServersKillCycle) => void
}): Promise<{ cycles: ServersKillCycle[]; batch: Batch['counts']; batchProblems: string[] }> {
  const platform = await ScriptedPlatform.start()
  platform.script = (seen, response) =>
    seen.body.includes('"text":"row ') ? answerBatchRow(response) : answerStreams(seen, response)
  const group = await ServerGroup.start(servers, { PLATFORM: 'off', DATABASE_URL: url })
  try {
    const keys = await addAppKeys(group.send, platform.url)
    const batch = await createBatch(group.send, keys.completion, rows)
    const inspections: Promise<ServersKillCycle>[] = []
    for (let kill = 0; kill < kills; kill++) {
      const runs = Array.from({ length: streams }, (_, index) => startRun(group, keys, `${kill}.${index}`, index))
      const shown = await waitForShownFrames(runs, FRAMES_BEFORE_KILL, MAX_KILL_DELAY_MS)
      const killedAt = performance.now()
      await group.kill(kill % servers)
      const inspect = async () => {
        const cycle = { ...(await inspectRuns(group.send, runs, killedAt, platform)), shown }
        onCycle?.(cycle)
        return cycle
      }
      inspections.push(inspect())
      await group.startServer(kill % servers)
    }
    const cycles = await Promise.all(inspections)
    const { counts, state } = await waitForEnd(group.send, batch)
    const batchProblems = findRowProblems(await listRows(group.send, batch), countSentRows(platform))
    if (state !== 'ended') batchProblems.push(`the batch is ${state}`)
    return { cycles, batch: counts, batchProblems }
  } finally {
    await group.remove()
    await platform.close()
  }
}

/** Posts a run under one id to two servers in the same moment, and watches it to its end on whichever others are up. */
function startRun(group: ServerGroup, keys: Record<AppKind, string>, name: string, index: number): CrossServerRun {
  const kind = (['chat', 'completion', 'workflow'] as const)[index % 3] ?? 'chat'
  const startedAt = performance.now()
  const run: CrossServerRun = { ...createRequestedRun(name), startedAt, endedAt: 0, resumeCount: -1, problems: [] }
  const follow = async () => {
    const path = `/api/keys/${keys[kind]}/${RUN_PATHS[kind]}`
    const headers = { 'run-id': run.id, prefer: 'respond-async' }
    const post = async (server: string) =>
      (await group.fetch(server, 'POST', path, toRunBody(name, kind), headers).catch(() => null))?.ok === true
    const first = group.url()
    run.isAccepted = (await Promise.all([post(first), post(group.url(first))])).includes(true)
    while (!run.end && performance.now() - run.startedAt < RUN_TIMEOUT_MS) {
      run.resumeCount++
      const isThere = await watchRun(group, run).catch(() => true)
      if (!isThere && !run.isAccepted) return
      if (!run.end) await wait(RETRY_DELAY_MS)
    }
  }
  run.done = follow()
  return run
}

/** @returns whether the run exists. */
async function watchRun(group: ServerGroup, run: CrossServerRun): Promise<boolean> {
  const headers = { 'last-event-id': String(Math.max(0, ...run.shownFrames.keys())) }
  const response = await group.fetch(group.url(), 'GET', `/api/runs/${run.id}/events`, undefined, headers)
  if (response.status === 404) {
    await response.text()
    if (run.isAccepted) run.problems.push('was accepted and is not there')
    return false
  }
  await readConsoleStream(readTexts(response), {
    frame: (seq, block) => {
      if (seq !== run.shownFrames.size + 1) run.problems.push(`was shown frame ${seq} after ${run.shownFrames.size}`)
      run.shownFrames.set(seq, block)
    },
    end: (status) => Object.assign(run, { end: status, endedAt: performance.now() }),
  })
  return true
}

async function inspectRuns(
  send: SendRequest,
  runs: readonly CrossServerRun[],
  killedAt: number,
  platform: ScriptedPlatform,
): Promise<Omit<ServersKillCycle, 'shown'>> {
  await Promise.all(runs.map(({ done }) => done))
  const sentCounts = countRequests(platform)
  const ends: Record<string, number> = {}
  const problems: string[] = []
  for (const run of runs) {
    const stored = run.end === null && !run.isAccepted ? null : await send<Run>('GET', `/api/runs/${run.id}`)
    const end = run.end ?? (stored ? 'live' : 'never came')
    ends[end] = (ends[end] ?? 0) + 1
    const sentCount = sentCounts.get(run.name) ?? 0
    const afterKill = Math.round(run.endedAt - killedAt)
    const isInterrupted = run.end === 'interrupted'
    const found = [
      ...run.problems,
      sentCount > 1 && `was sent ${sentCount} times`,
      stored && !run.end && 'was never shown its end',
      !stored && sentCount > 0 && 'was sent and is not there',
      isInterrupted &&
        afterKill < LEASE_MS - MAX_HEARTBEAT_AGE_MS &&
        `was given up ${afterKill} ms after the kill: its server lived`,
      afterKill > LEASE_MS + MAX_END_DELAY_MS && `ended ${afterKill} ms after the kill`,
      run.end && !isInterrupted && stored?.status !== run.end && `was shown as ${run.end} and is ${stored?.status}`,
      run.end && stored && stored.frames !== run.shownFrames.size && `says ${stored.frames} frames`,
      ...(stored ? await findLostFrames(send, run, run.end !== null) : []),
    ]
    problems.push(...found.filter(Boolean).map((problem) => `${run.name} (${run.id}) ${problem}`))
  }
  return {
    resumeCount: runs.reduce((sum, { resumeCount }) => sum + resumeCount, 0),
    settled_ms: Math.round(Math.max(...runs.map(({ endedAt }) => endedAt)) - killedAt),
    ends,
    problems,
  }
}
