import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PgliteServer } from './pgliteServer.ts'
import { openPglite } from './openPglite.ts'

let folder: string
let database: PGlite
let pgliteServer: PgliteServer
const clients: Client[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loupe-bridge-'))
  database = await openPglite(join(folder, 'database'))
  pgliteServer = new PgliteServer(database)
  await pgliteServer.listen(join(folder, '.s.PGSQL.5432'))
  await database.exec('CREATE TABLE notes(id int PRIMARY KEY, text text)')
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()))
  await database.exec('TRUNCATE notes')
})
afterAll(async () => {
  await pgliteServer.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function connectClient(): Promise<Client> {
  const client = new Client({ host: folder, database: 'postgres', user: 'postgres' })
  client.on('error', () => undefined)
  clients.push(client)
  await client.connect()
  return client
}

describe('several clients of one embedded database', () => {
  test('each gets the answers to its own statements', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, connectClient))
    const asked = Array.from({ length: 50 }, (_, index) => index)
    const answers = await Promise.all(
      all.map(async (client, which) => {
        const values: number[] = []
        for (const index of asked) {
          const shape = (index + which) % 2 ? 'SELECT $1::int AS value' : 'SELECT $1::text AS value, now()'
          const { rows } = await client.query<{ value: unknown }>(shape, [index])
          values.push(Number(rows[0]?.value))
        }
        return values
      }),
    )
    expect(answers).toEqual(all.map(() => asked))
  })

  test('the next one may prepare statements under the names of the one before', async () => {
    const statement = { name: 'read', text: 'SELECT $1::int AS value' }
    const one = await connectClient()
    for (const value of [1, 2]) expect((await one.query({ ...statement, values: [value] })).rows).toEqual([{ value }])
    await one.end()
    const next = await connectClient()
    const other = { name: 'read', text: 'SELECT $1::int + 1 AS value' }
    expect((await next.query({ ...other, values: [3] })).rows).toEqual([{ value: 4 }])
    await expect(next.query({ name: 'fail', text: 'SELECT 1 / $1::int', values: [0] })).rejects.toThrow('zero')
    expect((await next.query({ ...other, values: [4] })).rows).toEqual([{ value: 5 }])
  })

  test('one in a transaction has it for itself', async () => {
    const [one, other] = [await connectClient(), await connectClient()]
    await one.query('BEGIN')
    await one.query('INSERT INTO notes VALUES (1, $1)', ['first'])
    const seen = other.query<{ text: string }>('SELECT text FROM notes')
    await one.query('UPDATE notes SET text = $1', ['second'])
    await one.query('COMMIT')
    expect((await seen).rows).toEqual([{ text: 'second' }])
  })

  test('what one has not committed is gone when it hangs up', async () => {
    const [one, other] = [await connectClient(), await connectClient()]
    await one.query('BEGIN')
    await one.query("INSERT INTO notes VALUES (2, 'lost')")
    const seen = other.query('SELECT * FROM notes')
    await one.end()
    expect((await seen).rows).toEqual([])
    await other.query("INSERT INTO notes VALUES (3, 'kept')")
    expect((await other.query('SELECT id FROM notes')).rows).toEqual([{ id: 3 }])
  })

  test('an error is an answer, and the next statement has its own', async () => {
    const client = await connectClient()
    await expect(client.query('SELECT 1/$1::int', [0])).rejects.toThrow('division by zero')
    await expect(client.query('SELECT nothing')).rejects.toThrow('nothing')
    expect((await client.query('SELECT $1::int AS value', [7])).rows).toEqual([{ value: 7 }])
  })
})

describe('what comes in pieces', () => {
  test('a statement of 20 MB and an answer of as much', async () => {
    const client = await connectClient()
    const text = 'é0123456789'.repeat(2_000_000)
    const { rows } = await client.query<{ text: string }>('SELECT $1::text AS text', [text])
    expect(rows[0]?.text === text).toBe(true)
  })

  test('a whole talk byte by byte, after a wish for encryption', async () => {
    const socket = connect(join(folder, '.s.PGSQL.5432'))
    const heard: Buffer[] = []
    socket.on('data', (data: Buffer) => heard.push(data))
    const startup = Buffer.from('\0\x03\0\0user\0postgres\0database\0postgres\0\0', 'latin1')
    const talk = Buffer.concat([
      ...[withLengthPrefix(Buffer.from([4, 210, 22, 47])), withLengthPrefix(startup)],
      toProtocolMessage('Q', "INSERT INTO notes VALUES (4, 'by hand')\0"),
      toProtocolMessage('Q', 'COPY notes FROM STDIN\0'),
      ...[toProtocolMessage('d', '5\tcop'), toProtocolMessage('d', 'ied\n'), toProtocolMessage('c', '')],
      toProtocolMessage('Q', 'SELECT count(*) FROM notes\0'),
    ])
    for (const byte of talk) {
      socket.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await expect.poll(() => Buffer.concat(heard).toString('latin1')).toContain('SELECT 1')
    const answer = Buffer.concat(heard).toString('latin1')
    expect(answer.startsWith('N')).toBe(true)
    expect(answer).toContain('INSERT 0 1')
    expect(answer).toContain('COPY 1')
    socket.destroy()
    expect((await database.query('SELECT text FROM notes ORDER BY id')).rows).toEqual([
      { text: 'by hand' },
      { text: 'copied' },
    ])
  })

  test('what is no such talk is hung up on', async () => {
    const socket = connect(join(folder, '.s.PGSQL.5432'))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('GET / HTTP/1.1\r\n\r\n')
    await closed
    const client = await connectClient()
    expect((await client.query('SELECT 1 AS value')).rows).toEqual([{ value: 1 }])
  })
})

function withLengthPrefix(body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([length, body])
}

const toProtocolMessage = (type: string, body: string): Buffer =>
  Buffer.concat([Buffer.from(type), withLengthPrefix(Buffer.from(body))])
