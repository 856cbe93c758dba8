import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { openEmptyDatabase } from '../../db/embedded/databasePool.testing.ts'
import { FrameWriter } from './frameWriter.ts'

const toConnectionRefused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const frame = (seq: number) => ({ seq, at: seq, bytes: 9, block: `data: ${seq}\n\\.\tx` })

describe('frames on their way into the table', () => {
  let database: Database
  beforeAll(async () => {
    database = await openEmptyDatabase()
  })
  afterAll(() => database.close())

  const kept = async (id: string) => {
    const { rows } = await database.pool.query<{ seq: number; block: string }>(
      'SELECT seq, block FROM frames WHERE call_id = $1 ORDER BY seq',
      [id],
    )
    return rows
  }
  /** The pool, as it is when a connection to the database is asked for so many times. */
  const pooled = (connect: (real: () => Promise<PoolClient>) => Promise<PoolClient>): Pool =>
    new Proxy(database.pool, {
      get: (pool, name) =>
        name === 'connect' ? () => connect(() => pool.connect()) : (Reflect.get(pool, name) as unknown),
    })

  it('wait for a database that is away, and stand there once and in order', async () => {
    // A line that was given up may still hold the same rows for a while.
    const refusals = [
      toConnectionRefused(),
      Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }),
      toConnectionRefused(),
    ]
    const pool = pooled((real) => {
      const refusal = refusals.shift()
      return refusal ? Promise.reject(refusal) : real()
    })
    const [id, writer] = [randomUUID(), new FrameWriter(pool)]
    await Promise.all([1, 2, 3].map((seq) => writer.write(id, [frame(seq)])))
    expect(await kept(id)).toEqual([1, 2, 3].map((seq) => ({ seq, block: frame(seq).block })))
    expect(writer.pendingFrames).toBe(0)
  })

  it('are known to be there when only the word of it was lost', async () => {
    let asked = 0
    const pool = pooled(async (real) => {
      const client = await real()
      if (asked++ > 0) return client
      return new Proxy(client, {
        get: (target, name) => {
          if (name !== 'query')
            return typeof target[name as 'end'] === 'function' ? target[name as 'end'].bind(target) : undefined
          return (copy: { callback: (error: Error | null) => void }) => {
            const { callback } = copy
            copy.callback = (error) => callback(error ?? new Error('Connection terminated unexpectedly'))
            return target.query(copy as never) as unknown
          }
        },
      })
    })
    const [id, writer] = [randomUUID(), new FrameWriter(pool)]
    await writer.write(id, [frame(1), frame(2)])
    expect(asked).toBe(2)
    expect((await kept(id)).map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('are stored where a retry finds a frame of another run of their group stored already', async () => {
    let asked = 0
    // The first write is a group of its own; the attempt to write the second group fails.
    const writer = new FrameWriter(pooled((real) => (++asked === 2 ? Promise.reject(toConnectionRefused()) : real())))
    const [first, stored, others] = [randomUUID(), randomUUID(), randomUUID()]
    await database.pool.query('INSERT INTO frames(call_id, seq, at, bytes, block) VALUES ($1, 1, 1, 9, $2)', [
      stored,
      frame(1).block,
    ])
    await Promise.all([first, stored, others].map((id) => writer.write(id, [frame(1)])))
    for (const id of [first, stored, others]) expect(await kept(id)).toEqual([{ seq: 1, block: frame(1).block }])
  })

  it('are given up when the database stays away, and with them what follows of their run', async () => {
    const id = randomUUID()
    const writer = new FrameWriter(
      pooled(() => Promise.reject(toConnectionRefused())),
      { retryTimeoutMs: 0 },
    )
    const outcomes = await Promise.allSettled([1, 2].map((seq) => writer.write(id, [frame(seq)])))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('are refused at once where the database itself refuses them', async () => {
    const id = randomUUID()
    const writer = new FrameWriter(database.pool)
    await writer.write(id, [frame(1)])
    await expect(writer.write(id, [frame(1)])).rejects.toThrow('duplicate key')
  })

  it('hold up those who read while there are too many of them, and let them go on in their order', async () => {
    let open: () => void = () => undefined
    const opened = new Promise<void>((resolve) => (open = resolve))
    const writer = new FrameWriter(pooled(async (real) => opened.then(real)))
    const frames = (from: number) => Array.from({ length: 700 }, (_, index) => frame(from + index))
    const ids = [1, 2, 3].map(() => randomUUID())
    expect(writer.capacity()).toBeNull()
    const written = ids.map((id) => writer.write(id, frames(1)))
    const order: number[] = []
    const readers = [1, 2, 3].map((reader) => writer.capacity()?.then(() => order.push(reader)))
    expect(readers).not.toContain(undefined)
    await Promise.resolve()
    expect(order).toEqual([])
    open()
    await Promise.all([...written, ...readers])
    expect(order).toEqual([1, 2, 3])
    expect(writer.capacity()).toBeNull()
    expect(writer.pendingFrames).toBe(0)
  })

  it('hold nobody up for ever when they cannot be written', async () => {
    const writer = new FrameWriter(pooled(() => Promise.reject(new Error('no'))))
    const written = writer.write(
      randomUUID(),
      Array.from({ length: 2_001 }, (_, index) => frame(index)),
    )
    const room = writer.capacity()
    expect(room).not.toBeNull()
    await expect(written).rejects.toThrow('no')
    await room
    expect([writer.capacity(), writer.pendingFrames]).toEqual([null, 0])
  })
})
