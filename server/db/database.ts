import { setTimeout as wait } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Pool, type PoolClient, types } from 'pg'
import type { Logger } from 'pino'
import { isConnectionError } from './connectionErrors.ts'
import { restrictFolder } from './embedded/folderPermissions.ts'
import { openEmbedded } from './embedded/embeddedDatabase.ts'
import { withAdvisoryLock } from './advisoryLocks.ts'
import { ignorePoolErrors } from './ignorePoolErrors.ts'
import { type MessageBus, PostgresqlMessageBus, createNoMessageBus } from './messageBus.ts'
import { type MigrationSet, migrateSchema, readSchemaState, SHIPPED_MIGRATIONS } from './schemaMigrations.ts'
import { ServerPresence } from './serverPresence.ts'
import { takeUpgradeSnapshot } from './snapshots/snapshots.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

/**
 * A PostgreSQL database, embedded or on a server. The embedded one has a pool with a single connection: inside `transaction`
 * use only the given client, since `pool.query` would wait for its own transaction.
 */
export interface Database {
  kind: 'pglite' | 'postgresql'
  pool: Pool
  /** Connections without a statement timeout or a lock timeout. */
  unboundedPool: Pool
  db: NodePgDatabase
  transaction: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>
  /** Runs work under a cluster-wide advisory lock. It may take long, so requests must not use it. */
  withAdvisoryLock: <T>(lock: number, work: () => Promise<T>) => Promise<T>
  /** Copies the embedded database's files into a new folder; a server's database has no files here. */
  copy: ((to: string) => Promise<void>) | null
  /** Messages to and from the other servers that share the database. */
  messageBus: MessageBus
  close: () => Promise<void>
}

export interface DatabaseOptions {
  /** `DATABASE_URL`: a PostgreSQL server. Without it the embedded database in `folder` is used. */
  url?: string | undefined
  /** Milliseconds that a statement or a connection to that server may take. */
  statementTimeoutMs?: number | undefined
  /** `DATA_DIR`. */
  folder: string
  /** Number of snapshots of the embedded database to retain; 0 disables snapshots. */
  snapshots?: number
  log?: Pick<Logger, 'info' | 'warn'>
  /** Called when the embedded database dies under the server. */
  onDeath?: (error: Error) => void
  migrations?: MigrationSet
}

/** Milliseconds. */
const STATEMENT_TIMEOUT_MS = 10_000
const NETWORK_MARGIN_MS = 2_000
const KEEP_ALIVE_DELAY_MS = 10_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000

for (const type of [types.builtins.JSON, types.builtins.JSONB])
  types.setTypeParser(type, (text) => parseLosslessJson(text))

export async function openDatabase({
  url,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  folder,
  snapshots = 0,
  log,
  onDeath = throwError,
  migrations = SHIPPED_MIGRATIONS,
}: DatabaseOptions): Promise<Database> {
  restrictFolder(folder)
  const { pool, unboundedPool, isExisting, copy, close } = url
    ? connectToServer(url, statementTimeoutMs)
    : await openEmbedded(folder, onDeath)
  let post: MessageBus = createNoMessageBus()
  let presence: ServerPresence | null = null
  try {
    const { pending, newer } = await readSchemaState(pool, migrations)
    if (newer.length > 0)
      log?.warn({ migrations: newer }, 'a newer release has migrated this database; this one can work with it')
    if (isExisting && snapshots > 0 && pending.length > 0) {
      const { path } = await takeUpgradeSnapshot(folder, copy)
      log?.info({ file: path, migrations: pending }, 'snapshot created before the upgrade')
    }
    await migrateSchema(unboundedPool, migrations, url !== undefined)
    if (url) {
      post = await new PostgresqlMessageBus(url).open()
      presence = await new ServerPresence(url, post.server_id).open()
    }
  } catch (error) {
    await close()
    throw error
  }
  const leave = () =>
    Promise.all([post.close(), presence?.close()])
      .finally(close)
      .then(() => undefined)
  return {
    kind: url ? 'postgresql' : 'pglite',
    pool,
    unboundedPool,
    db: drizzle(pool),
    transaction: (work) => runTransaction(pool, work),
    // The embedded database has one connection, and one server.
    withAdvisoryLock: (lock, work) => (url ? withAdvisoryLock(unboundedPool, lock, work) : work()),
    copy,
    messageBus: post,
    // The server's last message is not awaited on a stalled connection.
    close: url ? () => Promise.race([leave(), wait(NETWORK_MARGIN_MS, undefined, { ref: false })]) : leave,
  }
}

/**
 * A connection may stall without being closed: a query waits a little longer than the server's statement timeout, and then
 * drops the connection. TCP keepalive finds a server that is gone while a connection is idle. After a lost connection the
 * server ends its abandoned transaction by timeout, which releases the locks.
 */
function connectToServer(url: string, statementTimeoutMs: number) {
  const connectionOptions = {
    connectionString: url,
    connectionTimeoutMillis: statementTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  }
  const pool = new Pool({
    ...connectionOptions,
    max: 16,
    statement_timeout: statementTimeoutMs,
    lock_timeout: 3_000,
    query_timeout: statementTimeoutMs + NETWORK_MARGIN_MS,
  })
  const unboundedPool = new Pool({ ...connectionOptions, max: 4 })
  for (const one of [pool, unboundedPool]) ignorePoolErrors(one)
  const close = () => Promise.all([pool.end(), unboundedPool.end()]).then(() => undefined)
  return { pool, unboundedPool, isExisting: false as const, copy: null, close }
}

export async function runTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let connectionError: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // On an unresponsive connection a ROLLBACK would wait behind the pending query; dropping the connection also
    // rolls back.
    if (isConnectionError(error)) connectionError = error as Error
    else await client.query('ROLLBACK').catch((reason: Error) => (connectionError = reason))
    throw error
  } finally {
    client.release(connectionError)
  }
}

function throwError(error: Error): never {
  throw error
}
