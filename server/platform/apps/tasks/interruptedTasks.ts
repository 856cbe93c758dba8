import { and, eq, lt, sql } from 'drizzle-orm'
import type { Pool, PoolClient } from 'pg'
import { ADVISORY_LOCKS } from '../../../db/advisoryLocks.ts'
import type { PlatformContext } from '../../platformContext.ts'
import { messages, workflowRuns } from '../schema.ts'
import { MAX_RUN_MS, StoppedError } from './tasks.ts'

/** Error of every run that was active when the process died. */
const INTERRUPTED_MESSAGE = new StoppedError('shutdown').message
/** Delay before a lost connection is reopened, in ms. */
const RECONNECT_DELAY_MS = 500

/**
 * At the start, rows that are still marked as running were interrupted and become failed. If another platform uses
 * the same database they may belong to it, unless they are older than the maximum duration of a run.
 * @returns a function to call when this platform stops
 */
export async function failInterruptedTasks(context: PlatformContext): Promise<() => void> {
  const { kind, unboundedPool } = context.database
  if (kind === 'pglite') {
    await markInterrupted(context, null)
    return () => undefined
  }
  return holdPlatformLock(unboundedPool, async (isAlone) => {
    await markInterrupted(context, isAlone ? null : new Date(context.clock() - MAX_RUN_MS))
  })
}

/**
 * Holds the lock that marks a live platform, on its own connection. A platform that starts while nobody holds it is
 * alone, and blocks others until `onLocked` has finished. A lost connection is reopened: the platform is still alive.
 */
async function holdPlatformLock(pool: Pool, onLocked: (isOnlyPlatform: boolean) => Promise<void>): Promise<() => void> {
  let isReleased = false
  let client: PoolClient | null = null
  const connect = async (): Promise<PoolClient> => {
    const connected = await pool.connect()
    client = connected
    connected.on('error', () => {
      // A broken connection may emit several errors.
      if (client !== connected) return
      connected.release(true)
      client = null
      if (!isReleased) reconnectLater()
    })
    return connected
  }
  const reconnectLater = (): void => {
    const reconnect = async () => {
      const connected = await connect()
      if (isReleased) connected.release(true)
      else await connected.query('SELECT pg_advisory_lock_shared($1)', [ADVISORY_LOCKS.platform])
    }
    setTimeout(
      () => void (isReleased || reconnect().catch(() => client === null && reconnectLater())),
      RECONNECT_DELAY_MS,
    ).unref()
  }
  const first = await connect()
  const { rows } = await first.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [
    ADVISORY_LOCKS.platform,
  ])
  const isOnlyPlatform = rows[0]?.alone === true
  await onLocked(isOnlyPlatform)
  await first.query('SELECT pg_advisory_lock_shared($1)', [ADVISORY_LOCKS.platform])
  if (isOnlyPlatform) await first.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.platform])
  return () => {
    isReleased = true
    client?.release(true)
    client = null
  }
}

/** A resumed run counts from its resumption. @param before runs that began later are left alone */
async function markInterrupted({ database, clock }: PlatformContext, before: Date | null): Promise<void> {
  const finished_at = new Date(clock())
  const resumed_at = sql`(SELECT resumed_at FROM ${workflowRuns} WHERE ${workflowRuns.id} = ${messages.workflow_run_id})`
  await database.db
    .update(messages)
    .set({ status: 'error', error: INTERRUPTED_MESSAGE, finished_at })
    .where(
      and(
        eq(messages.status, 'running'),
        before ? lt(sql`coalesce(${resumed_at}, ${messages.created_at})`, before) : undefined,
      ),
    )
  await database.db
    .update(workflowRuns)
    .set({ status: 'failed', error: INTERRUPTED_MESSAGE, state: null, finished_at })
    .where(
      and(
        eq(workflowRuns.status, 'running'),
        before ? lt(sql`coalesce(${workflowRuns.resumed_at}, ${workflowRuns.created_at})`, before) : undefined,
      ),
    )
}
