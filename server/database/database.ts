import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Pool, type PoolClient } from 'pg'
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
  /** `DATA_DIR`. */
  folder: string
  /** How many snapshots of the embedded database are kept; 0 takes none. */
  snapshots?: number
  /** Called when the embedded database dies under the server. */
  onDeath?: (error: Error) => void
}

const MIGRATIONS = new URL('./migrations', import.meta.url).pathname

/** Opens the database and brings it to the newest schema. */
export async function open({ url, folder, snapshots = 0, onDeath = raise }: DatabasePlace): Promise<Database> {
  const { pool, old, copy, close } = url ? connect(url) : await openEmbedded(folder, onDeath)
  let post: Post = silence
  try {
    const pending = await countPending(pool)
    if (old && snapshots > 0 && pending > 0) await takeSnapshot(folder, copy, snapshots, new Date())
    await upgrade(pool)
    if (url) post = await new PostgresqlPost(url).open()
  } catch (error) {
    await close()
    throw error
  }
  return {
    kind: url ? 'postgresql' : 'pglite',
    pool,
    db: drizzle(pool),
    transaction: (work) => transact(pool, work),
    // The embedded database has one connection, and one server.
    alone: (lock, work) => (url ? locked(pool, lock, work) : work()),
    copy,
    post,
    close: () => post.close().finally(close),
  }
}

function connect(url: string) {
  const pool = new Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 10_000,
    lock_timeout: 3_000,
  })
  outlive(pool)
  return { pool, old: false as const, copy: null, close: () => pool.end() }
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

/** The limits of everyday queries are none for the work under a lock, nor for the wait for another server's. */
async function locked<T>(pool: Pool, lock: number, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('SET lock_timeout = 0; SET statement_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    try {
      return await work(client)
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [lock])
      await client.query('RESET lock_timeout; RESET statement_timeout')
    }
  } finally {
    client.release()
  }
}

async function transact<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

function raise(error: Error): never {
  throw error
}
