import { setTimeout as wait } from 'node:timers/promises'
import type { Batch } from '#contract/batches.ts'
import type { Frame, Run } from '#contract/runs.ts'
import { ScriptedPlatform } from '../../e2e/faults/platform.ts'
import { answerRow, ended, make, problemsOf, rowsOf, timesSent } from './batch.ts'
import { addApps, type Send } from './console.ts'
import { Crowd } from './crowd.ts'
import { type Roamed, roam } from './roaming.ts'
import type { Looked } from './streams.ts'
import { answerStreams, timesAsked } from './upstream.ts'

export interface ServersKilling {
  servers: number
  kills: number
  /** Runs that are under way at each kill, and rows of the batch that goes on meanwhile. */
  streams: number
  rows: number
  /** Of an empty PostgreSQL database. */
  url: string
}
/** What one kill came to. */
export interface ServerCycle extends Looked {
  /** Streams that were begun anew on another server. */
  resumed: number
}

/** The kill comes when so many frames of each stream have been shown on average, or fewer, and no later than that. */
const FRAMES = 25
const LATEST = 6_000
/** Milliseconds: a dead server's lease, and the time after it by which each of its runs has to have ended. */
const LEASE = 8_000
const LEGAL = 10_000
/** Milliseconds for which a server may have said nothing when it was killed: its word comes every two seconds, and later on a busy machine. */
const LATE = 5_000

/**
 * Has several Loupes on one PostgreSQL read streams and work on a batch, and kills them in turn with `kill -9` while the
 * others go on. Each run is posted to two servers under one id and watched on others. What was shown must be in the
 * database, each frame once and in turn; the platform must have met no run and no row twice; each run must have ended soon
 * after the lease of a server that had it.
 */
export async function killServers(given: ServersKilling): Promise<{ cycles: ServerCycle[]; batch: Batch['counts'] }> {
  const platform = await ScriptedPlatform.start()
  platform.script = (seen, response) =>
    seen.body.includes('"text":"row ') ? answerRow(response) : answerStreams(seen, response)
  const crowd = await Crowd.start(given.servers, { PLATFORM: 'off', DATABASE_URL: given.url })
  try {
    const keys = await addApps(crowd.send, platform.url)
    const batch = await make(crowd.send, keys.completion, given.rows)
    const looks: Promise<ServerCycle>[] = []
    for (let kill = 0; kill < given.kills; kill++) {
      const runs = Array.from({ length: given.streams }, (_, index) => roam(crowd, keys, `${kill}.${index}`, index))
      const shown = () => runs.reduce((sum, one) => sum + one.shown.size, 0)
      const moment = Math.random() * given.streams * FRAMES
      const begun = performance.now()
      while (shown() < moment && performance.now() - begun < LATEST) await wait(5)
      const before = shown()
      const killed = performance.now()
      await crowd.kill(kill % given.servers)
      looks.push(look(crowd.send, runs, killed, before, platform))
      await crowd.begin(kill % given.servers)
    }
    const cycles: ServerCycle[] = []
    for (const looked of looks) {
      const cycle = await looked
      cycles.push(cycle)
    }
    const { counts, state } = await ended(crowd.send, batch)
    const problems = problemsOf(await rowsOf(crowd.send, batch), timesSent(platform))
    if (state !== 'ended') problems.push(`the batch is ${state}`)
    cycles.at(-1)?.problems.push(...problems)
    return { cycles, batch: counts }
  } finally {
    await crowd.remove()
    await platform.close()
  }
}

async function look(
  send: Send,
  runs: readonly Roamed[],
  killed: number,
  shown: number,
  platform: ScriptedPlatform,
): Promise<ServerCycle> {
  await Promise.all(runs.map(({ over }) => over))
  const times = timesAsked(platform)
  const ends: Record<string, number> = {}
  const problems: string[] = []
  for (const run of runs) {
    const kept = run.end === null && !run.isAccepted ? null : await send<Run>('GET', `/api/runs/${run.id}`)
    const end = run.end ?? (kept ? 'live' : 'never came')
    ends[end] = (ends[end] ?? 0) + 1
    const asked = times.get(run.name) ?? 0
    const wrong = [
      ...run.problems,
      ...(asked > 1 ? [`was sent ${asked} times`] : []),
      ...(kept && !run.end ? ['was never shown its end'] : []),
      ...(!kept && asked > 0 ? ['was sent and is not there'] : []),
      ...(run.end === 'interrupted' && run.ended < killed + LEASE - LATE
        ? [`was given up ${Math.round(run.ended - killed)} ms after the kill: its server lived`]
        : []),
      ...(run.ended > killed + LEASE + LEGAL ? [`ended ${Math.round(run.ended - killed)} ms after the kill`] : []),
      ...(kept && run.end && run.end !== 'interrupted' && kept.status !== run.end
        ? [`was shown as ${run.end} and is ${kept.status}`]
        : []),
      ...(kept ? await missingOf(send, run, kept) : []),
    ]
    problems.push(...wrong.map((one) => `${run.name} (${run.id}) ${one}`))
  }
  return {
    shown,
    resumed: runs.reduce((sum, one) => sum + one.resumed, 0),
    settled_ms: Math.round(Math.max(...runs.map((run) => run.ended)) - killed),
    ends,
    problems,
  }
}

/** Frames that were shown and are not kept, or are kept and were not shown: a run was watched to its end. */
async function missingOf(send: Send, { id, shown, end }: Roamed, kept: Run): Promise<string[]> {
  const { data } = await send<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=500`)
  const lost = [...shown].filter(([seq, block]) => data[seq - 1]?.block.trim() !== block.trim()).map(([seq]) => seq)
  return [
    ...(lost.length > 0 ? [`has lost frames ${lost.join(', ')}, which were shown`] : []),
    ...(end && data.length !== shown.size ? [`has ${data.length} frames, of which ${shown.size} were shown`] : []),
    ...(end && kept.frames !== data.length ? [`says ${kept.frames} frames and has ${data.length}`] : []),
  ]
}
