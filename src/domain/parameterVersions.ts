import type { Resource } from '#contract/console/resources.ts'

/** The server updates the last-seen time of a version once a minute (ms). */
const LAST_SEEN_TOLERANCE_MS = 120_000

/**
 * The parameters of an app at a time: the latest version that was first seen before it and last seen after it. Null
 * if there is none. `at` is Unix ms.
 */
export function findVersionAt<Version extends Pick<Resource, 'first_seen' | 'last_seen'>>(
  versions: readonly Version[],
  at: number,
): Version | null {
  const seenBefore = versions.filter(({ first_seen }) => Date.parse(first_seen) <= at)
  const stillCurrent = seenBefore.filter(({ last_seen }) => Date.parse(last_seen) >= at - LAST_SEEN_TOLERANCE_MS)
  const latest = (one: Version, other: Version) => Date.parse(other.first_seen) - Date.parse(one.first_seen)
  return (stillCurrent.length > 0 ? stillCurrent : seenBefore).sort(latest)[0] ?? null
}
