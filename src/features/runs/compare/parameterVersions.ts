import type { Resource } from '#contract/console/consoleEndpoints.ts'

/** A version that is read again and again is written down once a minute; milliseconds. */
const LAST_SEEN_TOLERANCE_MS = 120_000

/**
 * The parameters that an app had at a moment: of those seen by then the ones that were still seen at it, the latest of
 * them. Null where none were seen by then. `at` is milliseconds since 1970.
 */
export function findVersionAt(versions: readonly Resource[], at: number): Resource | null {
  const seenBefore = versions.filter(({ first_seen }) => Date.parse(first_seen) <= at)
  const stillCurrent = seenBefore.filter(({ last_seen }) => Date.parse(last_seen) >= at - LAST_SEEN_TOLERANCE_MS)
  const latest = (one: Resource, other: Resource) => Date.parse(other.first_seen) - Date.parse(one.first_seen)
  return (stillCurrent.length > 0 ? stillCurrent : seenBefore).sort(latest)[0] ?? null
}
