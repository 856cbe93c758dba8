import { NO_REASON } from './testCounts.ts'

/** What a CI machine cannot have: the only reasons for which a test may be skipped there. `../shared` is not part of a clone. */
const ALLOWED_IN_CI: readonly RegExp[] = [
  /^no systemd\b/,
  /^no container engine\b/,
  /^no pgvector in PostgreSQL$/,
  / in \.\.\/shared or SHARED_DATA$/,
]

/** `12 skipped: no PostgreSQL (Debian: apt install postgresql)`, a line for each reason, the most frequent first. */
export function describeSkips(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} skipped: ${reason}`)
}

/** The reasons of skipped tests that count as failures: in CI all that are not on the list, elsewhere those without a reason. */
export function findForbiddenSkips(reasons: readonly string[], isCi: boolean): string[] {
  return reasons.filter((reason) =>
    isCi ? !ALLOWED_IN_CI.some((allowed) => allowed.test(reason)) : reason === NO_REASON,
  )
}
