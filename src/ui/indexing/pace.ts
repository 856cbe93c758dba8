import { isFinal } from '#contract/records.ts'
import { STEPS, type Watch, type Watched } from './steps.ts'

/** How long whole indexings took that this console saw from their first step to their last, by document and moment. */
export type Pace = Readonly<Record<string, number>>

const KEPT = 50
/** Below this nothing is called slow, whatever the usual is. Milliseconds. */
const PATIENCE = 30_000
/** The patience while nothing has been measured yet. */
const PATIENCE_AT_FIRST = 120_000

/** Adds what a look has found finished; what was found half done has no measure. */
export function measure(pace: Pace, { documents }: Watch): Pace {
  const fresh = documents.flatMap(({ id, seen }): [string, number][] => {
    const first = seen[0]
    const last = seen.at(-1)
    const isWhole = first?.status === STEPS[0] && last?.status === 'completed'
    const name = `${id}.${last?.at}`
    return isWhole && !(name in pace) ? [[name, last.at - first.at]] : []
  })
  if (fresh.length === 0) return pace
  return Object.fromEntries([...Object.entries(pace), ...fresh].slice(-KEPT))
}

/** The median, in milliseconds; null before the first measure. */
export function usualOf(pace: Pace): number | null {
  const sorted = Object.values(pace).sort((one, other) => one - other)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return null
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** For how many milliseconds nothing has changed, where that is longer than usual; null else. */
export function stalledFor(watched: Watched, usual: number | null, now: number): number | null {
  const last = watched.seen.at(-1)
  if (!last || isFinal({ id: watched.id, indexing_status: watched.status })) return null
  const still = now - last.at
  return still > Math.max(PATIENCE, usual === null ? PATIENCE_AT_FIRST : usual * 3) ? still : null
}
