import { and, eq, lt } from 'drizzle-orm'
import type { Pool, PoolClient } from 'pg'
import { LOCKS } from '../../database/locks.ts'
import type { PlatformContext } from '../context.ts'
import { messages, workflowRuns } from './schema.ts'
import { LONGEST_MS, Stopped } from './tasks.ts'

/** Said of every run that was under way when the process died. */
const CUT = new Stopped('shutdown').message
/** Milliseconds after which a lost connection is made anew. */
const AGAIN = 500

/**
 * At the start nothing runs yet: what the database still calls running was cut off, and is written down as failed. Where
 * another platform lives on the same database it may be that one's, unless it is older than any run can be.
 * @returns what is to be called when this platform stops
 */
export async function settle(context: PlatformContext): Promise<() => void> {
  const { kind, patient } = context.database
  if (kind === 'pglite') {
    await cutOff(context, null)
    return () => undefined
  }
  return hold(patient, async (isAlone) => {
    await cutOff(context, isAlone ? null : new Date(context.clock() - LONGEST_MS))
  })
}

/**
 * Holds the lock that says that a platform lives, on a connection of its own. Whoever comes while nobody holds it is alone,
 * and keeps the others waiting until `begin` is done. A connection that is lost is made anew: the platform has not died.
 */
async function hold(pool: Pool, begin: (isAlone: boolean) => Promise<void>): Promise<() => void> {
  let isLeft = false
  let client: PoolClient | null = null
  const take = async (): Promise<PoolClient> => {
    const taken = await pool.connect()
    client = taken
    taken.on('error', () => {
      // A connection that breaks may say so more than once.
      if (client !== taken) return
      taken.release(true)
      client = null
      if (!isLeft) again()
    })
    return taken
  }
  const again = (): void => {
    const retake = async () => {
      const taken = await take()
      if (isLeft) taken.release(true)
      else await taken.query('SELECT pg_advisory_lock_shared($1)', [LOCKS.platform])
    }
    setTimeout(() => void (isLeft || retake().catch(() => client === null && again())), AGAIN).unref()
  }
  const first = await take()
  const { rows } = await first.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [LOCKS.platform])
  const isAlone = rows[0]?.alone === true
  await begin(isAlone)
  await first.query('SELECT pg_advisory_lock_shared($1)', [LOCKS.platform])
  if (isAlone) await first.query('SELECT pg_advisory_unlock($1)', [LOCKS.platform])
  return () => {
    isLeft = true
    client?.release(true)
    client = null
  }
}

async function cutOff({ database, clock }: PlatformContext, before: Date | null): Promise<void> {
  const finished_at = new Date(clock())
  await database.db
    .update(messages)
    .set({ status: 'error', error: CUT, finished_at })
    .where(and(eq(messages.status, 'running'), before ? lt(messages.created_at, before) : undefined))
  await database.db
    .update(workflowRuns)
    .set({ status: 'failed', error: CUT, finished_at })
    .where(and(eq(workflowRuns.status, 'running'), before ? lt(workflowRuns.created_at, before) : undefined))
}
