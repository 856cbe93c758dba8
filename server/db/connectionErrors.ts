/** Error codes of the system, pg and PostgreSQL for a database that is temporarily unavailable. */
const SYSTEM_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
/** Connection exceptions, shutdown, crash, start-up, too many connections. */
const CONNECTION_SQLSTATES = /^(08...|57P0[1-5]|53300)$/
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Query read timeout)/

/** Whether a query failed because the database is unreachable. Only for an error of a query. */
export function isConnectionError(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code = '' } = one as NodeJS.ErrnoException
    if (SYSTEM_ERROR_CODES.has(code) || CONNECTION_SQLSTATES.test(code) || CONNECTION_MESSAGES.test(one.message))
      return true
    if (one instanceof AggregateError && one.errors.length > 0 && one.errors.every(isConnectionError)) return true
  }
  return false
}

/** Whether a statement was rolled back for another one's lock (`lock_not_available`, `deadlock_detected`): it can be retried. */
export function isLockConflict(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if (['55P03', '40P01'].includes((one as NodeJS.ErrnoException).code ?? '')) return true
  return false
}

/** Whether the query timed out, which delays everything queued behind it. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && TIMEOUT_MESSAGES.test(error.message)
const TIMEOUT_MESSAGES =
  /^(Query read timeout|timeout exceeded when trying to connect|timeout expired|Connection terminated due to)/
