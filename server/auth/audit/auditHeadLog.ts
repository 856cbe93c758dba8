import type { Logger } from 'pino'
import type { Pool } from 'pg'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import { findAuditHead } from './auditLog.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * Logs the head of the audit log at start and once a day: a log stored elsewhere then shows whether rows were cut off or the
 * whole chain was rewritten.
 */
export function logAuditHead(
  { pool, log }: { pool: Pool; log: Pick<Logger, 'info' | 'error'> },
  intervalMs = DAY_MS,
): BackgroundJob {
  const job = new BackgroundJob({
    run: async (stopSignal) => {
      const found = await findAuditHead(pool)
      if (found && !stopSignal.aborted) log.info(found, 'audit chain head')
    },
    onError: (err) => log.error({ err }, 'read audit head failed'),
    intervalMs,
  })
  job.start()
  job.runSoon()
  return job
}
