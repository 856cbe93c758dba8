import { eq } from 'drizzle-orm'
import type { PlatformContext } from '../context.ts'
import { messages, workflowRuns } from './schema.ts'
import { Stopped } from './tasks.ts'

/** Said of every run that was under way when the process died. */
const CUT = new Stopped('shutdown').message

/** At the start nothing runs yet: what the database still calls running was cut off, and is written down as failed. */
export async function settle({ database, clock }: PlatformContext): Promise<void> {
  const finished_at = new Date(clock())
  await database.db
    .update(messages)
    .set({ status: 'error', error: CUT, finished_at })
    .where(eq(messages.status, 'running'))
  await database.db
    .update(workflowRuns)
    .set({ status: 'failed', error: CUT, finished_at })
    .where(eq(workflowRuns.status, 'running'))
}
