import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Pool, type PoolClient } from 'pg'
import { isAway } from './away.ts'
import { closeFolder } from './close-folder.ts'
import { openEmbedded } from './embedded.ts'
import { FolderError } from './guard.ts'
import { LOCKS } from './locks.ts'
import { outlive } from './outlive.ts'
import { type Post, PostgresqlPost, silence } from './post.ts'
import { takeSnapshot } from './snapshots.ts'

/**
 * One PostgreSQL, embedded or a server's. On the embedded one the pool has a single connection: inside `transaction` use
 * the given client only, since `pool.query` would wait for the transaction that it stands in.
 */
export interface Database {
  kind: 'pglite' | 'postgresql'
  pool: Pool
  /** Connections whose statements may take as long as they need, and wait for a lock as long as it is held. */
  patient: Pool
  db: NodePgDatabase
  transaction: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>
  /** Does something while no other server does what goes by that number. It may take long, so that nobody asks for it in a request. */
  alone: <T>(lock: number, work: () => Promise<T>) => Promise<T>
  /** Copies the embedded database's files into a new folder; a server's database has no files here. */
  copy: ((to: string) => Promise<void>) | null
  /** Words to and from the other servers that share the database. */
  post: Post
  close: () => Promise<void>
}

export interface DatabasePlace {
  /** `DATABASE_URL`: a PostgreSQL server. Without it the embedded database in `folder` is used. */
  url?: string | undefined
  /** Milliseconds that a statement on that server may take, and a connection to it. */
  patience?: number | undefined
  /** `DATA_DIR`. */
  folder: string
  /** How many snapshots of the embedded database are kept; 0 takes none. */
  snapshots?: number
  /** Called when the embedded database dies under the server. */
  onDeath?: (error: Error) => void
}

/** Milliseconds. */
const PATIENCE = 10_000
const ON_THE_WAY = 2_000
const SILENCE = 10_000
const ABANDONED = 60_000
const MIGRATIONS = new URL('./migrations', import.meta.url).pathname

/** Opens the database and brings it to the newest schema. */
export async function open({
  url,
  patience = PATIENCE,
  folder,
  snapshots = 0,
  onDeath = raise,
}: DatabasePlace): Promise<Database> {
  closeFolder(folder)
  const { pool, patient, old, copy, close } = url ? connect(url, patience) : await openEmbedded(folder, onDeath)
  let post: Post = silence
  try {
    const pending = await countPending(pool)
    if (old && snapshots > 0 && pending > 0) await takeSnapshot(folder, copy, snapshots, new Date())
    await upgrade(patient)
    if (url) post = await new PostgresqlPost(url).open()
  } catch (error) {
    await close()
    throw error
  }
  const leave = () => post.close().finally(close)
  return {
    kind: url ? 'postgresql' : 'pglite',
    pool,
    patient,
    db: drizzle(pool),
    transaction: (work) => transact(pool, work),
    // The embedded database has one connection, and one server.
    alone: (lock, work) => (url ? locked(patient, lock, work) : work()),
    copy,
    post,
    // A server's last word is not waited for on a line that is stalled.
    close: url ? () => Promise.race([leave(), wait(ON_THE_WAY, undefined, { ref: false })]) : leave,
  }
}

/**
 * A line may stall without being cut: whoever waits for an answer on it waits a little longer than the server may take for
 * one, and gives the connection up. Where nothing is under way TCP looks for the other end, so that a server that is gone is
 * found. What this process leaves behind when its line is lost holds no lock for longer than `ABANDONED`.
 */
function connect(url: string, patience: number) {
  const line = {
    connectionString: url,
    connectionTimeoutMillis: patience,
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENCE,
    idle_in_transaction_session_timeout: ABANDONED,
  }
  const pool = new Pool({
    ...line,
    max: 16,
    statement_timeout: patience,
    lock_timeout: 3_000,
    query_timeout: patience + ON_THE_WAY,
  })
  const patient = new Pool({ ...line, max: 4 })
  for (const one of [pool, patient]) outlive(one)
  const close = () => Promise.all([pool.end(), patient.end()]).then(() => undefined)
  return { pool, patient, old: false as const, copy: null, close }
}

/**
 * How many migrations are to be made on what is there; 0 on a database that has never had any.
 * @throws FolderError when it was written by a newer Loupe.
 */
async function countPending(pool: Pool): Promise<number> {
  const { rows: tables } = await pool.query<{ known: boolean }>(
    `SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS known`,
  )
  if (!tables[0]?.known) return 0
  const journal = JSON.parse(await readFile(join(MIGRATIONS, 'meta', '_journal.json'), 'utf8')) as {
    entries: unknown[]
  }
  const { rows } = await pool.query<{ made: number }>('SELECT count(*)::int AS made FROM drizzle.__drizzle_migrations')
  const pending = journal.entries.length - (rows[0]?.made ?? 0)
  if (pending < 0)
    throw new FolderError(
      'The database was written by a newer Loupe. Start that one, or restore a snapshot from before.',
    )
  return pending
}

/** Under an advisory lock, so that servers that start together migrate one after the other. */
const upgrade = (pool: Pool): Promise<void> =>
  locked(pool, LOCKS.migration, async (client) => {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    // pgvector is a package of its own on a PostgreSQL server; without it there is no semantic search, all else works.
    await client.query('CREATE EXTENSION IF NOT EXISTS vector').catch(() => undefined)
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS })
  })

/** On a connection of `patient`: the limits of everyday queries are none for work that keeps other servers waiting, nor for their wait. */
async function locked<T>(pool: Pool, lock: number, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    try {
      return await work(client)
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [lock])
    }
  } finally {
    client.release()
  }
}

async function transact<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // On a connection that does not answer a ROLLBACK would wait behind what was not answered; leaving it undoes the work, too.
    if (isAway(error)) broken = error as Error
    else await client.query('ROLLBACK').catch((reason: Error) => (broken = reason))
    throw error
  } finally {
    client.release(broken)
  }
}

function raise(error: Error): never {
  throw error
}
