/** Whether the runtime knows a time zone by this name. PostgreSQL does not know all of them; `toProblem` has its error. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    // Offsets as names (`+02:00`) have the opposite sign in PostgreSQL.
    return /^[A-Za-z]/.test(zone)
  } catch {
    return false
  }
}
