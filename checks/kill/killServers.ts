import { setTimeout as wait } from 'node:timers/promises'
import type { Batch } from '#contract/console/batches.ts'
import type { Frame, Run } from '#contract/console/runs.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { answerBatchRow, waitForEnd, createBatch, findRowProblems, listRows, countSentRows } from './killBatch.ts'
import { addAppKeys, type SendRequest } from './consoleClient.ts'
import { ServerGroup } from './serverGroup.ts'
import { type CrossServerRun, startCrossServerRun } from './crossServerRun.ts'
import type { RunInspection } from './killStreams.ts'
import { answerStreams, countRequests } from './streamingPlatform.ts'

export interface ServersKillOptions {
  servers: number
  kills: number
  /** Active runs at each kill, and rows of the concurrent batch. */
  streams: number
  rows: number
  /** Of an empty PostgreSQL database. */
  url: string
  tell?: (cycle: ServersKillCycle) => void
}
/** Result of one kill. */
export interface ServersKillCycle extends RunInspection {
  /** Streams that were resumed on another server. */
  resumeCount: number
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

/**
 * Has several Loupes on one PostgreSQL read streams and work on a batch, and kills them in turn with `kill -9` while the
 * others go on. Each run is posted to two servers under one id and watched on others. What was shown must be in the
 * database, each frame once and in turn; the platform must have met no run and no row twice; each run must have ended soon
 * after the lease of a server that had it.
 */
export async function killServers(
  options: ServersKillOptions,
): Promise<{ cycles: ServersKillCycle[]; batch: Batch['counts']; batchProblems: string[] }> {
  const platform = await ScriptedPlatform.start()
  platform.script = (seen, response) =>
    seen.body.includes('"text":"row ') ? answerBatchRow(response) : answerStreams(seen, response)
  const serverGroup = await ServerGroup.start(options.servers, { PLATFORM: 'off', DATABASE_URL: options.url })
  try {
    const keys = await addAppKeys(serverGroup.send, platform.url)
    const batch = await createBatch(serverGroup.send, keys.completion, options.rows)
    const inspections: Promise<ServersKillCycle>[] = []
    for (let kill = 0; kill < options.kills; kill++) {
      const runs = Array.from({ length: options.streams }, (_, index) =>
        startCrossServerRun(serverGroup, keys, `${kill}.${index}`, index),
      )
      const shownFrames = () => runs.reduce((sum, one) => sum + one.shownFrames.size, 0)
      const moment = Math.random() * options.streams * FRAMES_BEFORE_KILL
      const begun = performance.now()
      while (shownFrames() < moment && performance.now() - begun < MAX_KILL_DELAY_MS) await wait(5)
      const before = shownFrames()
      const killed = performance.now()
      await serverGroup.kill(kill % options.servers)
      inspections.push(
        inspectRuns(serverGroup.send, runs, killed, before, platform).then((cycle) => {
          options.tell?.(cycle)
          return cycle
        }),
      )
      await serverGroup.startServer(kill % options.servers)
    }
    const cycles = await Promise.all(inspections)
    const { counts, state } = await waitForEnd(serverGroup.send, batch)
    const batchProblems = findRowProblems(await listRows(serverGroup.send, batch), countSentRows(platform))
    if (state !== 'ended') batchProblems.push(`the batch is ${state}`)
    return { cycles, batch: counts, batchProblems }
  } finally {
    await serverGroup.remove()
    await platform.close()
  }
}

async function inspectRuns(
  send: SendRequest,
  runs: readonly CrossServerRun[],
  killed: number,
  shownFrames: number,
  platform: ScriptedPlatform,
): Promise<ServersKillCycle> {
  await Promise.all(runs.map(({ done }) => done))
  const sentCounts = countRequests(platform)
  const ends: Record<string, number> = {}
  const problems: string[] = []
  for (const run of runs) {
    const storedRuns = run.end === null && !run.isAccepted ? null : await send<Run>('GET', `/api/runs/${run.id}`)
    const end = run.end ?? (storedRuns ? 'live' : 'never came')
    ends[end] = (ends[end] ?? 0) + 1
    const requestedNames = sentCounts.get(run.name) ?? 0
    const wrong = [
      ...run.problems,
      ...(requestedNames > 1 ? [`was sent ${requestedNames} times`] : []),
      ...(storedRuns && !run.end ? ['was never shown its end'] : []),
      ...(!storedRuns && requestedNames > 0 ? ['was sent and is not there'] : []),
      ...(run.end === 'interrupted' && run.endedAt < killed + LEASE_MS - MAX_HEARTBEAT_AGE_MS
        ? [`was given up ${Math.round(run.endedAt - killed)} ms after the kill: its server lived`]
        : []),
      ...(run.endedAt > killed + LEASE_MS + MAX_END_DELAY_MS
        ? [`ended ${Math.round(run.endedAt - killed)} ms after the kill`]
        : []),
      ...(storedRuns && run.end && run.end !== 'interrupted' && storedRuns.status !== run.end
        ? [`was shown as ${run.end} and is ${storedRuns.status}`]
        : []),
      ...(storedRuns ? await findMissingFrames(send, run, storedRuns) : []),
    ]
    problems.push(...wrong.map((one) => `${run.name} (${run.id}) ${one}`))
  }
  return {
    shown: shownFrames,
    resumeCount: runs.reduce((sum, one) => sum + one.resumeCount, 0),
    settled_ms: Math.round(Math.max(...runs.map((run) => run.endedAt)) - killed),
    ends,
    problems,
  }
}

/** Frames that were shown but not stored, or stored but not shown: a run was watched to its end. */
async function findMissingFrames(
  send: SendRequest,
  { id, shownFrames, end }: CrossServerRun,
  storedRun: Run,
): Promise<string[]> {
  const { data } = await send<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=500`)
  const missingSeqs = [...shownFrames]
    .filter(([seq, block]) => data[seq - 1]?.block.trim() !== block.trim())
    .map(([seq]) => seq)
  return [
    ...(missingSeqs.length > 0 ? [`has lost frames ${missingSeqs.join(', ')}, which were shown`] : []),
    ...(end && data.length !== shownFrames.size
      ? [`has ${data.length} frames, of which ${shownFrames.size} were shown`]
      : []),
    ...(end && storedRun.frames !== data.length ? [`says ${storedRun.frames} frames and has ${data.length}`] : []),
  ]
}
