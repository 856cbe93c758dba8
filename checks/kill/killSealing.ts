import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Frame } from '#contract/console/runs.ts'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { createPreparedLoupe, type KillOptions, readAllFrames, type SendRequest, signIn } from './consoleClient.ts'

/** What the database had right after a kill. */
export interface SealKillCycle {
  journaled: number
  sealed: number
  problems: string[]
}

const WORKSPACE = '00000001-0000-4000-8000-000000000001'
const FRAMES_PER_RUN = 40
/** One run of so many is long: its frames become several chunks. */
const RUNS_PER_LONG_RUN = 40
const FRAMES_OF_LONG_RUN = 2_500
/** The first pass begins 5 s after the server has started. */
const FIRST_PASS_MS = 4_900
/** The kill comes in the first moments of the pass. */
const MAX_PASS_MS = 600

/**
 * Has a real Loupe seal the frames of a filled journal, as after an upgrade, kills it with `kill -9` at a random moment of a
 * pass, and starts it again. After each kill every frame is in the journal or in a chunk, and in one of them alone; at the
 * end each run has its frames as they were written. `runs` is the number of ended runs in the journal at the beginning.
 */
export async function killWhileSealing({
  cycles,
  runs,
  env = {},
  onCycle,
}: KillOptions<SealKillCycle> & { runs: number }): Promise<SealKillCycle[]> {
  const loupe = await createPreparedLoupe({ PLATFORM: 'off', SEAL_AFTER_SECONDS: '0', ...env })
  const withDatabase = async <Value>(use: (database: Database) => Promise<Value>): Promise<Value> => {
    const database = await openDatabase({ url: env.DATABASE_URL, folder: loupe.folder })
    return use(database).finally(() => database.close())
  }
  try {
    // Migrates a database that is still empty.
    await loupe.start()
    await loupe.stop()
    const total = await withDatabase((database) => fillJournal(database, runs))
    const all: SealKillCycle[] = []
    // On a busy machine a pass begins later: a kill that came before it waits longer the next time.
    let delayMs = FIRST_PASS_MS
    while (all.length < cycles) {
      await loupe.start()
      await wait(delayMs + Math.random() * MAX_PASS_MS)
      await loupe.kill()
      const { journaled, sealed } = await withDatabase(countFrames)
      const isWhole = journaled + sealed === total
      const problems = isWhole ? [] : [`${journaled} frames and ${sealed} in chunks are not ${total}`]
      const cycle = { journaled, sealed, problems }
      if (sealed === (all.at(-1)?.sealed ?? 0)) delayMs += MAX_PASS_MS
      all.push(cycle)
      onCycle?.(cycle)
    }
    await loupe.start()
    const { send } = await signIn(loupe)
    for (let run = 0; run < runs; run++) all.at(-1)?.problems.push(...(await findChangedFrames(send, run)))
    return all
  } finally {
    await loupe.remove()
  }
}

/** @returns the number of frames */
async function fillJournal({ pool }: Database, runs: number): Promise<number> {
  await pool.query(
    `INSERT INTO workspaces(id, name, base_url, builtin, created_at) VALUES ($1, 'Filled', 'http://127.0.0.1:1', false, now())`,
    [WORKSPACE],
  )
  let total = 0
  for (let run = 0; run < runs; run++) {
    const [id, frames] = [toRunId(run), createFrames(run)]
    total += frames.length
    await pool.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at, duration_ms, frames, request)
       VALUES ($1, 'chat.send', 'succeeded', $2, $2, now() - interval '1 hour', 1000, $3, '{}')`,
      [id, WORKSPACE, frames.length],
    )
    await pool.query(
      `INSERT INTO frames(call_id, seq, at, bytes, block)
       SELECT $1, seq, at, bytes, block FROM json_to_recordset($2) AS frame(seq int, at int, bytes int, block text)`,
      [id, JSON.stringify(frames)],
    )
  }
  return total
}

async function countFrames({ pool }: Database): Promise<{ journaled: number; sealed: number }> {
  const { rows } = await pool.query<{ journaled: number; sealed: number }>(
    `SELECT (SELECT count(*)::int4 FROM frames) AS journaled,
       (SELECT coalesce(sum(last_seq - first_seq + 1), 0)::int4 FROM frame_chunks) AS sealed`,
  )
  return rows[0] ?? { journaled: 0, sealed: 0 }
}

/** The first difference of a run, as a line. */
async function findChangedFrames(send: SendRequest, run: number): Promise<string[]> {
  const stored = await readAllFrames(send, toRunId(run))
  const expected = createFrames(run)
  if (stored.length !== expected.length) return [`run ${run} has ${stored.length} of ${expected.length} frames`]
  const changed = expected.find(({ seq, at, block }, index) => {
    const frame = stored[index]
    return frame?.seq !== seq || frame.at !== at || frame.block !== block
  })
  return changed ? [`run ${run} has another frame ${changed.seq}`] : []
}

const toRunId = (run: number): string => `00000000-0000-4000-9000-${String(run).padStart(12, '0')}`

/** The frames of a run, the same each time. */
const createFrames = (run: number): Frame[] =>
  Array.from({ length: run % RUNS_PER_LONG_RUN === 0 ? FRAMES_OF_LONG_RUN : FRAMES_PER_RUN }, (_, index) => {
    const seq = index + 1
    const words = createHash('sha256').update(`${run} ${seq}`).digest('base64')
    const block = `data: {"event":"message","answer":"${words} é 世界"}`
    return { seq, at: seq * 10, bytes: Buffer.byteLength(block) + 2, block }
  })
