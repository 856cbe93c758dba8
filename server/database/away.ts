/** How the system, pg and PostgreSQL say that there is nobody to answer a query: now, not for good. */
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
/** Connection exceptions, shutdown, crash, start-up, too many connections. */
const STATES = /^(08...|57P0[1-5]|53300)$/
const WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Query read timeout)/

/** Whether a query failed because the database cannot be reached. Of an error that came of a query. */
export function isAway(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code = '' } = one as NodeJS.ErrnoException
    if (SYSTEM.has(code) || STATES.test(code) || WORDS.test(one.message)) return true
    if (one instanceof AggregateError && one.errors.length > 0 && one.errors.every(isAway)) return true
  }
  return false
}

/** Whether nobody answered in time, so that whatever waits behind it has waited, too. */
export const isSilent = (error: unknown): boolean => error instanceof Error && SILENCE.test(error.message)
const SILENCE =
  /^(Query read timeout|timeout exceeded when trying to connect|timeout expired|Connection terminated due to)/
