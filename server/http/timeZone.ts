/** Whether the runtime knows this time zone. PostgreSQL may not; `toProblem` handles its error. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    // Offsets as names (`+02:00`) have the opposite sign in PostgreSQL.
    return /^[A-Za-z]/.test(zone)
  } catch {
    return false
  }
}
