import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { openEmptyDatabase } from './embedded/databasePool.testing.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { startPostgresql } from './postgresql.testing.ts'
import { toCopyCell, copyRows, COPY_NULL } from './copyRows.ts'

type Server = () => Promise<{ database: Database; stop: () => Promise<void> }>

describe('rows by COPY into the embedded database', () =>
  takesRows(async () => ({ database: await openEmptyDatabase(), stop: async () => {} })))

describeWith(requirements.postgresql)('rows by COPY into PostgreSQL', () =>
  takesRows(async () => {
    const { url, stop } = await startPostgresql()
    return { database: await openDatabase({ url, folder: 'unused' }), stop }
  }),
)

function takesRows(begin: Server): void {
  let place: Awaited<ReturnType<typeof begin>>
  const query = <T>(text: string) => place.database.pool.query<T & object>(text).then(({ rows }) => rows)

  beforeAll(async () => {
    place = await begin()
    await query('CREATE TABLE copied(id int PRIMARY KEY, text text)')
  })
  afterAll(async () => {
    await place.database.close()
    await place.stop()
  })

  test('any text comes back as it went in', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('\\', '.', '\n', '\r', '\t', 'N', 'x', '0', '"', '{') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (texts) => {
        const given = texts.map((one) => one.replaceAll('\0', ''))
        await query('TRUNCATE copied')
        await copyRows(
          place.database.pool,
          'copied(id, text)',
          given.map((one, id) => `${id}\t${toCopyCell(one)}\n`).join(''),
        )
        const rows = await query<{ text: string }>('SELECT text FROM copied ORDER BY id')
        expect(rows.map((row) => row.text)).toEqual(given)
      }),
      { numRuns: 60 },
    )
  })

  test('all rows or none, and the next ones go in', async () => {
    await query('TRUNCATE copied')
    const row = (id: number | string) => `${id}\t${COPY_NULL}\n`
    const copy = (rows: string) => copyRows(place.database.pool, 'copied(id, text)', rows)
    await expect(copy(row(1) + row(2) + row(1))).rejects.toThrow('duplicate key')
    await expect(copy(row(1) + row('two'))).rejects.toThrow('invalid input syntax')
    await expect(copyRows(place.database.pool, 'nowhere', row(1))).rejects.toThrow('does not exist')
    expect(await query('SELECT * FROM copied')).toEqual([])
    await copy(row(3))
    expect(await query('SELECT * FROM copied')).toEqual([{ id: 3, text: null }])
  })
}
