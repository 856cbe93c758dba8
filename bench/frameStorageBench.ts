import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { programs } from '#support/programs.ts'
import { copyRows, toCopyCell } from '../server/db/copyRows.ts'
import { type Database, openDatabase } from '../server/db/database.ts'
import { startPostgresql } from '../server/db/postgresql.testing.ts'
import { FrameSealer } from '../server/ledger/frames/frameSealer.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import type { Figure } from './figure.ts'
import { createRandom, createSegmentText } from './platform/syntheticTexts.ts'
import { median } from './relayBench.ts'

const RUN_COUNT = 400
const FRAMES_PER_RUN = 250
const READ_COUNT = 40
const WORKSPACE = '00000001-0000-4000-8000-000000000001'

/**
 * The bytes on disk of a frame in the journal and sealed, indexes included, of answers whose frames have about 330 bytes,
 * with ids of their own in each run; what sealing costs, and reading a whole run, in both forms.
 */
export async function runFrameStorageBench(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-frames-'))
  try {
    const embedded = await openDatabase({ folder })
    const figures = await measure(embedded, 'embedded').finally(() => embedded.close())
    if (!programs.postgresql.find()) return figures
    const postgresql = await startPostgresql()
    try {
      const database = await openDatabase({ url: postgresql.url, folder: 'unused' })
      return [...figures, ...(await measure(database, 'PostgreSQL').finally(() => database.close()))]
    } finally {
      await postgresql.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(database: Database, name: string): Promise<Figure[]> {
  const { pool } = database
  const ids = await insertRuns(database)
  const total = RUN_COUNT * FRAMES_PER_RUN
  const sizeOf = async (table: string) => {
    const { rows } = await pool.query<{ bytes: string }>(`SELECT pg_total_relation_size('${table}') AS bytes`)
    return Number(rows[0]?.bytes)
  }
  const journal = await sizeOf('frames')
  const journalRead = await measureReads(database, ids)
  const startedAt = performance.now()
  const sealer = new FrameSealer({ pool, log: pino({ level: 'silent' }), sealAfterMs: 0 })
  sealer.runSoon()
  await sealer.whenIdle()
  const sealMs = performance.now() - startedAt
  const sealed = await sizeOf('frame_chunks')
  const sealedRead = await measureReads(database, ids)
  return [
    {
      bench: 'frames',
      what: `bytes on disk of a sealed frame, ${name}`,
      value: sealed / total,
      unit: 'bytes',
      against: `${Math.round(journal / total)} bytes in the journal`,
      goal: '<= 80',
    },
    { bench: 'frames', what: `sealing a frame, ${name}`, value: (sealMs * 1000) / total, unit: 'µs' },
    {
      bench: 'frames',
      what: `reading a run of ${FRAMES_PER_RUN} sealed frames, ${name}`,
      value: sealedRead / journalRead,
      unit: 'times',
      against: 'from the journal',
      goal: '<= 1',
    },
  ]
}

async function insertRuns({ pool }: Database): Promise<string[]> {
  const random = createRandom(5)
  const ids: string[] = []
  for (let run = 0; run < RUN_COUNT; run++) {
    const id = randomUUID()
    ids.push(id)
    const [conversation_id, message_id, task_id] = [randomUUID(), randomUUID(), randomUUID()]
    const words = Array.from({ length: 4 }, () => createSegmentText(random))
      .join(' ')
      .split(' ')
    await pool.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at, duration_ms, frames, request)
       VALUES ($1, 'chat.send', 'succeeded', $2, $2, now() - interval '1 hour', 1000, $3, '{}')`,
      [id, WORKSPACE, FRAMES_PER_RUN],
    )
    let rows = ''
    for (let seq = 1; seq <= FRAMES_PER_RUN; seq++) {
      const answer = ` ${words[seq % words.length]}`
      const event = {
        event: 'message',
        conversation_id,
        message_id,
        created_at: 1_763_900_000,
        task_id,
        id: message_id,
        answer,
      }
      const block = `data: ${JSON.stringify({ ...event, from_variable_selector: ['llm', 'text'] })}`
      rows += `${id}\t${seq}\t${Math.round(400 + seq * 22 + random.next() * 9)}\t${block.length + 2}\t${toCopyCell(block)}\n`
    }
    await copyRows(pool, 'frames(call_id, seq, at, bytes, block)', rows)
  }
  return ids
}

async function measureReads({ pool }: Database, ids: readonly string[]): Promise<number> {
  const ledger = new Ledger(pool)
  const times: number[] = []
  for (const id of ids.slice(0, READ_COUNT)) {
    const startedAt = performance.now()
    const frames = await ledger.readFrames(id, 0, 1_000)
    times.push(performance.now() - startedAt)
    if (frames.length !== FRAMES_PER_RUN) throw new Error(`run ${id} has ${frames.length} frames`)
  }
  return median(times)
}
