import { and, eq, lt } from 'drizzle-orm'
import type { PlatformContext } from '../context.ts'
import { messages, workflowRuns } from './schema.ts'
import { LONGEST_MS, Stopped } from './tasks.ts'

/** Said of every run that was under way when the process died. */
const CUT = new Stopped('shutdown').message
/** The advisory lock that every platform on a PostgreSQL shares with the others for as long as it lives. */
const ALIVE = 7_308_333

/**
 * At the start nothing runs yet: what the database still calls running was cut off, and is written down as failed. Where
 * another platform lives on the same database it may be that one's, unless it is older than any run can be.
 * @returns what is to be called when this platform stops
 */
export async function settle(context: PlatformContext): Promise<() => void> {
  const { kind, pool } = context.database
  if (kind === 'pglite') {
    await cutOff(context, null)
    return () => undefined
  }
  const client = await pool.connect()
  client.on('error', () => undefined)
  const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [ALIVE])
  const isAlone = rows[0]?.alone === true
  await cutOff(context, isAlone ? null : new Date(context.clock() - LONGEST_MS))
  await client.query('SELECT pg_advisory_lock_shared($1)', [ALIVE])
  if (isAlone) await client.query('SELECT pg_advisory_unlock($1)', [ALIVE])
  return () => client.release(true)
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
