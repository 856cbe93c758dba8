import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { Pool, PoolClient } from 'pg'
import { ADVISORY_LOCKS, withAdvisoryLock } from './advisoryLocks.ts'
import { hasTable } from './hasTable.ts'
import { describeServer, findLiveServers, waitWhileLive } from './liveServers.ts'
import { StartupError } from './startupError.ts'

interface MigrationReview {
  /** Servers of an earlier release cannot work with the schema: all must have stopped before it is applied. */
  isExclusive: boolean
  reason: string
}

/**
 * Migrations with statements that may break a server of an earlier release (`checks/migrationStatements.ts` finds
 * them), as judged by their author. Every other migration is additive: servers of both releases work with the schema.
 */
export const REVIEWED_MIGRATIONS: Readonly<Record<string, MigrationReview>> = {
  '0001_identity': { isExclusive: false, reason: 'shortens the life of tokens, which an earlier release obeys too' },
  '0004_standard_names': { isExclusive: true, reason: 'it renames tables and columns' },
  '0005_key_health': { isExclusive: true, reason: 'it changes what the column capabilities holds' },
  '0011_run_versions': { isExclusive: false, reason: 'fills a column that an earlier release does not know' },
  '0013_term_counts': { isExclusive: false, reason: 'its triggers count only passages of the later release' },
  '0017_run_origins_and_tags': { isExclusive: false, reason: 'fills columns that an earlier release does not know' },
  '0019_suites': {
    isExclusive: true,
    reason:
      'it moves question sets out of saved_items, and an earlier release would take over experiments that it cannot run',
  },
  '0020_frame_chunks': { isExclusive: true, reason: 'an earlier release does not read sealed frames' },
  '0023_body_pieces': { isExclusive: false, reason: 'an earlier release shows a call without a body of megabytes' },
  '0024_shorter_pending_list': { isExclusive: false, reason: 'a setting of an index that changes nothing of its use' },
  '0025_uncompressed_sources': { isExclusive: false, reason: 'a text is read alike, compressed or not' },
  '0028_kept_retention': {
    isExclusive: false,
    reason: 'an earlier release finds rows of deleted workspaces, and deletes their calls as they say',
  },
  '0034_batch_row_targets': {
    isExclusive: true,
    reason: 'an earlier release would take over batches of kinds that it cannot run, and needs a key of each batch',
  },
}

export interface MigrationSet {
  folder: string
  reviewed: Readonly<Record<string, MigrationReview>>
}

export const SHIPPED_MIGRATIONS: MigrationSet = {
  folder: new URL('./migrations', import.meta.url).pathname,
  reviewed: REVIEWED_MIGRATIONS,
}

/** `when` is the time by which Drizzle identifies a migration, `tag` its name. */
interface JournalEntry {
  when: number
  tag: string
}

/** What this release has to do to a database. Both are empty for a new one. */
export interface SchemaState {
  pending: string[]
  /** Migrations of a later release that this one can work with. */
  newer: string[]
}

/** @throws StartupError when a later release has an exclusive migration */
export async function readSchemaState(client: Pool | PoolClient, { folder }: MigrationSet): Promise<SchemaState> {
  if (!(await hasTable(client, 'drizzle.__drizzle_migrations'))) return { pending: [], newer: [] }
  const journal = await readJournal(folder)
  const { rows } = await client.query<{ created_at: string }>('SELECT created_at FROM drizzle.__drizzle_migrations')
  const applied = rows.map((row) => Number(row.created_at))
  const [newestApplied, newestKnown] = [Math.max(0, ...applied), Math.max(...journal.map(({ when }) => when))]
  return {
    pending: journal.filter(({ when }) => when > newestApplied).map(({ tag }) => tag),
    newer: await requireAdditive(
      client,
      applied.filter((when) => when > newestKnown),
    ),
  }
}

/** The unknown migrations, each of which the release that applied it has marked as additive. */
async function requireAdditive(client: Pool | PoolClient, unknown: number[]): Promise<string[]> {
  if (unknown.length === 0) return []
  const { rows: known } = (await hasTable(client, 'applied_migrations'))
    ? await client.query<{ name: string; is_exclusive: boolean }>(
        'SELECT name, is_exclusive FROM applied_migrations WHERE created_at = ANY($1) ORDER BY created_at',
        [unknown],
      )
    : { rows: [] }
  const exclusive = known.find(({ is_exclusive }) => is_exclusive)
  if (!exclusive && known.length === unknown.length) return known.map(({ name }) => name)
  throw new StartupError(
    `The database was written by a newer Loupe${exclusive ? `, and its migration ${exclusive.name} changed what this one relies on` : ''}. ` +
      'Start that one, or go back to the database from before the upgrade (docs/operating.md, "Upgrade and roll-back").',
  )
}

/**
 * Applies pending migrations under an advisory lock, so that servers that start together migrate one after the other.
 * Before an exclusive migration of a shared database, all servers of earlier releases must have stopped.
 * @throws StartupError while such a server is alive
 */
export const migrateSchema = (pool: Pool, migrations: MigrationSet, isShared: boolean): Promise<SchemaState> =>
  withAdvisoryLock(pool, ADVISORY_LOCKS.migration, async (client) => {
    const state = await readSchemaState(client, migrations)
    const exclusive = state.pending.find((tag) => migrations.reviewed[tag]?.isExclusive)
    if (isShared && exclusive) await requireNoLiveServer(client, exclusive, migrations)
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    // pgvector is a separate package on a PostgreSQL server; without it only semantic search is missing.
    await client.query('CREATE EXTENSION IF NOT EXISTS vector').catch(() => undefined)
    await migrate(drizzle(client), { migrationsFolder: migrations.folder })
    await recordMigrations(client, migrations)
    return state
  })

async function requireNoLiveServer(client: PoolClient, tag: string, { reviewed }: MigrationSet): Promise<void> {
  const live = await waitWhileLive(() => findLiveServers(client))
  if (live.length === 0) return
  throw new StartupError(
    `The migration ${tag} cannot be applied while servers of the release before run: ${reviewed[tag]?.reason ?? 'it is exclusive'}. ` +
      `Stop these first, then start this one:\n${live.map((server) => `  ${describeServer(server)}`).join('\n')}`,
  )
}

async function recordMigrations(client: PoolClient, { folder, reviewed }: MigrationSet): Promise<void> {
  const journal = await readJournal(folder)
  await client.query(
    `INSERT INTO applied_migrations(created_at, name, is_exclusive)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::boolean[]) ON CONFLICT DO NOTHING`,
    [
      journal.map(({ when }) => when),
      journal.map(({ tag }) => tag),
      journal.map(({ tag }) => reviewed[tag]?.isExclusive ?? false),
    ],
  )
}

async function readJournal(folder: string): Promise<JournalEntry[]> {
  const text = await readFile(join(folder, 'meta', '_journal.json'), 'utf8')
  return (JSON.parse(text) as { entries: JournalEntry[] }).entries
}
