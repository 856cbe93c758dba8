import type { Logger } from 'pino'
import type { Pool } from 'pg'
import { findAuditHead } from './auditLog.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * Logs the head of the audit log at start and once a day: a log stored elsewhere then shows whether rows were cut off or the
 * whole chain was rewritten.
 * @returns a function that stops it.
 */
export function logAuditHead(
  { pool, log }: { pool: Pool; log: Pick<Logger, 'info' | 'error'> },
  intervalMs = DAY_MS,
): () => void {
  let isStopped = false
  const write = async () => {
    try {
      const found = await findAuditHead(pool)
      if (found && !isStopped) log.info(found, 'audit chain head')
    } catch (err) {
      if (!isStopped) log.error({ err }, 'read audit head failed')
    }
  }
  void write()
  const timer = setInterval(() => void write(), intervalMs).unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
