import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Frame } from '#contract/console/runs.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { copyRows } from '../../db/copyRows.ts'
import { type Database, openDatabase } from '../../db/database.ts'
import { openEmptyDatabase } from '../../db/embedded/databasePool.testing.ts'
import { startPostgresql } from '../../db/postgresql.testing.ts'
import { Ledger } from '../ledger.ts'
import { FrameSealer } from './frameSealer.ts'
import { countFramesWithin } from './storedFrames.ts'

const WORKSPACE = '00000001-0000-4000-8000-000000000001'
const log = pino({ level: 'silent' })
const MINUTE_MS = 60_000

const toFrame = (seq: number): Frame => {
  const block = `data: {"event":"message","answer":"word ${seq} \\\\ \\u00e9 世界 ${seq % 7}"}`
  return { seq, at: seq * 10, bytes: Buffer.byteLength(block) + 2, block }
}
const createFrames = (count: number, first = 1) => Array.from({ length: count }, (_, index) => toFrame(first + index))

function describeSealing(open: () => Promise<{ database: Database; close: () => Promise<void> }>): void {
  let database: Database
  let close: () => Promise<void>
  let ledger: Ledger
  const createSealer = (sealAfterMs = 0) => new FrameSealer({ pool: database.pool, log, sealAfterMs })
  type SealerOptions = ConstructorParameters<typeof FrameSealer>[0]
  /** A sealer that tells each step. */
  const createTalkingSealer = (
    info: (line: Record<string, number>, message?: string) => void,
    more?: Partial<SealerOptions>,
  ) =>
    new FrameSealer({
      ...{ pool: database.pool, log: { info, error: expect.unreachable }, sealAfterMs: 0 },
      ...{ backlogBytes: 1, progressIntervalMs: 0, ...more },
    })
  beforeAll(async () => {
    ;({ database, close } = await open())
    ledger = new Ledger(database.pool)
  })
  afterAll(() => close())

  async function insertFrames(id: string, frames: readonly Frame[]): Promise<void> {
    await database.pool.query(
      `INSERT INTO frames(call_id, seq, at, bytes, block, raw)
       SELECT $1, * FROM unnest($2::int[], $3::int[], $4::int[], $5::text[], $6::bytea[])`,
      [
        id,
        frames.map(({ seq }) => seq),
        frames.map(({ at }) => at),
        frames.map(({ bytes }) => bytes),
        frames.map(({ block }) => block),
        frames.map(({ raw }) => (raw ? Buffer.from(raw, 'base64') : null)),
      ],
    )
  }
  async function insertRun(frames: readonly Frame[], { status = 'succeeded', endedMsAgo = MINUTE_MS } = {}) {
    const id = randomUUID()
    await database.pool.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at, duration_ms, frames, request)
       VALUES ($1, 'chat.send', $2, $3, $3, now() - $4::float8 * interval '1 ms', 1000, $5, '{}')`,
      [id, status, WORKSPACE, endedMsAgo + 1000, frames.length],
    )
    await insertFrames(id, frames)
    return id
  }
  async function seal(sealAfterMs = 0): Promise<void> {
    const sealer = createSealer(sealAfterMs)
    sealer.runSoon()
    await sealer.whenIdle()
  }
  const countRows = async (table: 'frames' | 'frame_chunks', id: string) =>
    (await database.pool.query(`SELECT FROM ${table} WHERE call_id = $1`, [id])).rowCount
  const readAll = async (id: string, limit: number, bytes?: number) => {
    const found: Frame[] = []
    for (;;) {
      const page = await ledger.readFrames(id, found.at(-1)?.seq ?? 0, limit, bytes)
      if (page.length === 0) return found
      found.push(...page)
    }
  }

  it('keeps every frame as it came, in pages of any size', async () => {
    const frames = createFrames(2_345)
    frames[17] = { ...toFrame(18), raw: Buffer.from([0, 255, 10]).toString('base64') }
    frames[1_200] = { ...toFrame(1_201), block: 'x'.repeat(1_500_000), bytes: 1_500_000 }
    const id = await insertRun(frames)
    expect(await readAll(id, 1_000)).toEqual(frames)
    await seal()
    expect(await countRows('frames', id)).toBe(0)
    expect(await countRows('frame_chunks', id)).toBe(5)
    for (const [limit, bytes] of [[5_000], [999], [7_000, 40_000]] as const)
      expect(await readAll(id, limit, bytes)).toEqual(frames)
    expect(await ledger.readFrames(id, 2_000, 10)).toEqual(frames.slice(2_000, 2_010))
    expect(await ledger.readFrames(id, 0, 500, 1)).toEqual(frames.slice(0, 1))
    expect(await ledger.readFrames(id, 2_345, 10)).toEqual([])
  })

  it('says what a large journal needs before it begins, and how far it is', async () => {
    const ids = [await insertRun(createFrames(2_500)), await insertRun(createFrames(2_500))]
    const lines: Record<string, number>[] = []
    const sealer = createTalkingSealer((line) => lines.push(line))
    sealer.runSoon()
    await sealer.whenIdle()
    const [needs, ...progress] = lines
    expect(needs).toEqual({
      journal_bytes: expect.any(Number),
      needs_bytes: expect.any(Number),
      needs_seconds: expect.any(Number),
    })
    expect(needs?.['needs_bytes']).toBeLessThan(needs?.['journal_bytes'] ?? 0)
    expect(needs?.['needs_seconds']).toBeGreaterThanOrEqual(1)
    // Two runs of three chunks each, and the end.
    expect(progress).toHaveLength(7)
    const sealed = progress.map(({ sealed_bytes = 0 }) => sealed_bytes)
    expect(sealed.toSorted((one, other) => one - other)).toEqual(sealed)
    // What left the journal is about what it had: rows, their overhead and the index.
    expect(sealed[5]).toBeGreaterThan(0.5 * (needs?.['journal_bytes'] ?? 0))
    for (const id of ids) expect(await readAll(id, 5_000)).toEqual(createFrames(2_500))
  })

  it.each(['a stop', 'a full disk'])('does not say that all is sealed when %s interrupts it', async (cause) => {
    await insertRun(createFrames(2_500))
    await insertRun(createFrames(2_500))
    const messages: string[] = []
    let isFull = false
    const tell = (_line: unknown, message = '') => {
      messages.push(message)
      // The announcement and the first chunk.
      if (messages.length !== 2) return
      if (cause === 'a stop') sealer.stop()
      else isFull = true
    }
    const sealer = createTalkingSealer(tell, { hasSpace: () => !isFull })
    sealer.runSoon()
    await sealer.whenIdle()
    expect(await database.pool.query('SELECT FROM frames').then(({ rowCount }) => rowCount)).toBeGreaterThan(0)
    expect(messages).not.toContain('stored frames were sealed')
    isFull = false
    await seal(0)
  })

  it('seals a run that ended some time ago: none that goes on, is paused, or has just ended', async () => {
    const frames = createFrames(3)
    const ids = {
      ended: await insertRun(frames, { endedMsAgo: 2 * MINUTE_MS }),
      recent: await insertRun(frames, { endedMsAgo: 0 }),
      streaming: await insertRun(frames, { status: 'streaming' }),
      paused: await insertRun(frames, { status: 'paused' }),
    }
    await seal(MINUTE_MS)
    const left = await Promise.all(Object.values(ids).map((id) => countRows('frames', id)))
    expect(left).toEqual([0, 3, 3, 3])
    for (const id of Object.values(ids)) expect(await readAll(id, 100)).toEqual(frames)
  })

  it('seals the older frames of a long run while it goes on, and other servers read on', async () => {
    const frames = createFrames(2_600)
    const id = await insertRun(frames, { status: 'streaming' })
    await seal()
    expect(await countRows('frame_chunks', id)).toBe(2)
    const newest = createFrames(10, 2_601)
    await insertFrames(id, newest)
    expect(await readAll(id, 1_000)).toEqual([...frames, ...newest])
    const seen: number[] = []
    for (;;) {
      const page = await ledger.readFramesAfter([{ id, seq: seen.at(-1) ?? 0 }], 700, 1_000_000)
      expect(page.statuses.get(id)).toBe('streaming')
      if (page.frames.length === 0) break
      seen.push(...page.frames.map(({ seq }) => seq))
    }
    expect(seen).toEqual(Array.from({ length: 2_610 }, (_, index) => index + 1))
  })

  it('loses no frame and shows none twice while two servers seal and a page reads', async () => {
    const frames = createFrames(4_000)
    const ids = await Promise.all([insertRun(frames), insertRun(frames), insertRun(frames)])
    const sealers = [createSealer(), createSealer()]
    for (const sealer of sealers) sealer.runSoon()
    for (let reads = 0; reads < 3; reads++)
      for (const id of ids) expect((await readAll(id, 700)).map(({ seq }) => seq)).toEqual(frames.map(({ seq }) => seq))
    await Promise.all(sealers.map((sealer) => sealer.whenIdle()))
    await seal()
    for (const id of ids) {
      expect(await readAll(id, 5_000)).toEqual(frames)
      expect(await countRows('frames', id)).toBe(0)
    }
  })

  it('drops frames that were committed again after they were sealed', async () => {
    const frames = createFrames(20)
    const id = await insertRun(frames)
    await seal()
    await copyRows(
      database.pool,
      'frames(call_id, seq, at, bytes, block)',
      `${id}\t19\t1\t1\tlate\n${id}\t20\t1\t1\tlate\n`,
    )
    expect(await readAll(id, 100)).toEqual(frames)
    expect(await countFramesWithin(database.pool, [{ id, ms: 1_000 }])).toEqual(new Map([[id, 20]]))
    await seal()
    expect(await readAll(id, 100)).toEqual(frames)
    expect(await countRows('frames', id)).toBe(0)
  })

  it('counts the frames that came before a moment, sealed or not', async () => {
    const long = await insertRun(createFrames(2_600), { status: 'streaming' })
    const short = await insertRun(createFrames(5))
    const count = async (ms: number) =>
      countFramesWithin(database.pool, [
        { id: long, ms },
        { id: short, ms },
      ])
    const moments = [0, 35, 10_000, 14_995, 20_005, 90_000]
    const before = await Promise.all(moments.map(count))
    expect(before[3]).toEqual(
      new Map([
        [long, 1_499],
        [short, 5],
      ]),
    )
    await seal()
    expect(await countRows('frame_chunks', long)).toBe(2)
    expect(await Promise.all(moments.map(count))).toEqual(before)
  })

  it('says that a chunk is damaged instead of showing other bytes', async () => {
    const id = await insertRun(createFrames(200))
    await seal()
    await database.pool.query(
      'UPDATE frame_chunks SET data = set_byte(data, 40, get_byte(data, 40) # 255) WHERE call_id = $1',
      [id],
    )
    await expect(readAll(id, 10)).rejects.toThrow()
  })
}

describe('frames in the embedded database', () => {
  describeSealing(async () => {
    const database = await openEmptyDatabase()
    return { database, close: () => database.close() }
  })
})

describeWith(requirements.postgresql)('frames in PostgreSQL', () => {
  describeSealing(async () => {
    const postgresql = await startPostgresql()
    const database = await openDatabase({ url: postgresql.url, folder: 'unused' })
    return {
      database,
      close: async () => {
        await database.close()
        await postgresql.stop()
      },
    }
  })
})
