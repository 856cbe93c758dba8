import { randomUUID } from 'node:crypto'
import type { QueryConfig } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { TestConsole } from '../app.testing.ts'
import { StatementBatcher } from './statementBatcher.ts'

describe('statements that are sent together', () => {
  const bench = TestConsole.forFile()
  /** The rows of each statement, and the name under which it was prepared. */
  const sent: [count: number, name: string | undefined][] = []
  const recordingPool = () =>
    new Proxy(bench.database.pool, {
      get: (pool, name) =>
        name === 'query'
          ? (statement: QueryConfig) => {
              sent.push([(statement.values?.length ?? 0) / 2, statement.name])
              return pool.query(statement)
            }
          : (Reflect.get(pool, name) as unknown),
    })
  beforeAll(async () => {
    await bench.query('CREATE TABLE marks(id uuid PRIMARY KEY, mark int CHECK (mark < 100))')
  })
  const marks = () =>
    new StatementBatcher<{ id: string; mark: number }>(recordingPool(), {
      name: 'insert marks',
      types: ['uuid', 'int'],
      toSql: (rows) =>
        `INSERT INTO marks SELECT * FROM (VALUES ${rows}) AS new(id, mark) ON CONFLICT (id) DO NOTHING RETURNING id, mark`,
    })

  it('go out alone where nothing is under way, and in groups where something is', async () => {
    const together = marks()
    sent.length = 0
    const rows = Array.from({ length: 250 }, (_, index) => [randomUUID(), index % 100] as const)
    const replies = await Promise.all(rows.map((row) => together.execute(row)))
    expect(replies.map((reply) => [reply?.id, reply?.mark])).toEqual(rows)
    expect(sent).toEqual([
      [1, 'insert marks, 1'],
      [100, undefined],
      [100, undefined],
      [49, undefined],
    ])
    expect(await together.execute([randomUUID(), 1])).toMatchObject({ mark: 1 })
  })

  it('hold no row twice, so that the second of two learns that it came late', async () => {
    const together = marks()
    const id = randomUUID()
    const replies = await Promise.all([0, 1, 2].map((mark) => together.execute([id, mark])))
    expect(replies.map((reply) => reply?.mark ?? null)).toEqual([0, null, null])
  })

  it('fail for the row alone that the database does not take', async () => {
    const together = marks()
    const outcomes = await Promise.allSettled([1, 2, 100, 3].map((mark) => together.execute([randomUUID(), mark])))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })

  it('fail all together where the line is gone, of which nobody knows what it took', async () => {
    let tries = 0
    const gone = { query: () => (tries++, Promise.reject(new Error('Connection terminated unexpectedly'))) }
    const together = new StatementBatcher(gone as unknown as typeof bench.database.pool, {
      name: 'none',
      types: ['uuid'],
      toSql: () => '',
    })
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => together.execute([randomUUID()])))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(tries).toBe(2)
  })
})
