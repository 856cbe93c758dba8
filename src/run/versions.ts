import type { Thing } from '#contract/console.ts'

/** A version that is read again and again is written down once a minute; milliseconds. */
const SLACK = 120_000

/**
 * The parameters that an app had at a moment: of those seen by then the ones that were still seen at it, the latest of
 * them. Null where none were seen by then. `at` is milliseconds since 1970.
 */
export function versionAt(versions: readonly Thing[], at: number): Thing | null {
  const seen = versions.filter(({ first_seen }) => Date.parse(first_seen) <= at)
  const still = seen.filter(({ last_seen }) => Date.parse(last_seen) >= at - SLACK)
  const latest = (one: Thing, other: Thing) => Date.parse(other.first_seen) - Date.parse(one.first_seen)
  return (still.length > 0 ? still : seen).sort(latest)[0] ?? null
}
