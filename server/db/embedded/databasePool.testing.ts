import { rmSync } from 'node:fs'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import pino from 'pino'
import { type Database, openDatabase, runTransaction } from '../database.ts'
import { createNoMessageBus } from '../messageBus.ts'
import { ignorePoolErrors } from '../ignorePoolErrors.ts'
import { CheckpointJob } from './checkpointJob.ts'
import { createTestFolder } from './folder.testing.ts'

/** Databases that stay open between the test files of a process: a copied and opened one costs a second of CPU. */
const idleDatabases: OpenDatabase[] = []
const MAX_IDLE_DATABASES = 2
const folders = new Set<string>()
process.once('exit', () => folders.forEach(removeFolder))
// Vitest stops a process by it.
process.once('SIGTERM', () => process.exit())

interface OpenDatabase {
  folder: string
  database: Database
  checkpointJob: CheckpointJob
  /** All but those that the migrations fill. */
  tables: string[]
  schema: string
}

interface BorrowedDatabase {
  /** With a pool of its own, so that after `close` the writes of a stopped server fail. The tables stay. */
  connect: () => Database
  /** Empties it for the next test file. */
  giveBack: () => Promise<void>
}

/** An empty embedded database, for a server that stops and starts again on it. */
export async function borrowDatabase(): Promise<BorrowedDatabase> {
  const open = idleDatabases.pop() ?? (await openForTests())
  return {
    connect: () => {
      const pool = new Pool({ host: open.folder, database: 'postgres', user: 'postgres', max: 1, idleTimeoutMillis: 0 })
      ignorePoolErrors(pool)
      const transaction: Database['transaction'] = (work) => runTransaction(pool, work)
      return {
        ...open.database,
        pool,
        unboundedPool: pool,
        db: drizzle(pool),
        transaction,
        // Has the id of the server.
        messageBus: createNoMessageBus(),
        close: () => pool.end(),
      }
    },
    giveBack: () => giveBack(open),
  }
}

/** An empty embedded database; `close` gives it back. */
export async function openEmptyDatabase(): Promise<Database> {
  const { connect, giveBack } = await borrowDatabase()
  const database = connect()
  return { ...database, close: () => database.close().then(giveBack) }
}

async function openForTests(): Promise<OpenDatabase> {
  const folder = await createTestFolder()
  folders.add(folder)
  const database = await openDatabase({ folder, onDeath: () => undefined })
  const { pool } = database
  const checkpointJob = new CheckpointJob({ pool, log: pino({ level: 'silent' }) })
  const { rows } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  const tables = rows.map(({ name }) => name)
  const filled = await listFilled(pool, tables)
  return {
    folder,
    database,
    checkpointJob,
    tables: tables.filter((name) => !filled.includes(name)),
    schema: await readSchema(pool),
  }
}

async function giveBack(open: OpenDatabase): Promise<void> {
  const { pool } = open.database
  const isReusable = idleDatabases.length < MAX_IDLE_DATABASES && (await readSchema(pool)) === open.schema
  if (!isReusable) {
    await open.database.close()
    return removeFolder(open.folder)
  }
  const filled = await listFilled(pool, open.tables)
  const deletions = filled.map((name) => `DELETE FROM ${name};`).join('')
  // Without triggers and foreign keys.
  await pool.query(`SET session_replication_role = replica; ${deletions} RESET session_replication_role;
    SELECT setval(seqrelid, seqstart, false) FROM pg_sequence`)
  if (filled.length > 0) await pool.query(`VACUUM ${filled.join(', ')}`)
  open.checkpointJob.runSoon()
  await open.checkpointJob.whenIdle()
  idleDatabases.push(open)
}

async function listFilled(pool: Pool, tables: string[]): Promise<string[]> {
  const selects = tables.map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`)
  return (await pool.query<{ name: string }>(selects.join(' UNION ALL '))).rows.map(({ name }) => name)
}

/** Tables, columns, indexes, triggers, constraints and functions: whoever changes one does not return the database. */
async function readSchema(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ hash: string }>(`SELECT md5(string_agg(part, ',' ORDER BY part)) AS hash FROM (
    SELECT concat(oid, relname) AS part FROM pg_class WHERE oid >= 16384 AND relkind <> 't'
    UNION ALL SELECT concat(attrelid, attname, attnotnull) FROM pg_attribute WHERE attrelid >= 16384
    UNION ALL SELECT concat(oid, tgenabled) FROM pg_trigger WHERE oid >= 16384
    UNION ALL SELECT concat(oid, convalidated) FROM pg_constraint WHERE oid >= 16384
    UNION ALL SELECT concat(oid, prosrc) FROM pg_proc WHERE oid >= 16384) AS parts`)
  return rows[0]?.hash ?? ''
}

function removeFolder(folder: string): void {
  folders.delete(folder)
  rmSync(folder, { recursive: true, force: true })
}
