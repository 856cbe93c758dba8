import type { LiveRun } from './liveRun.ts'
import { getEndUser, type RunOrder } from './runOrder.ts'

/** Maximum wait in ms for the first event of another run: the platform has stored the user by then. */
const MAX_WAIT_MS = 5_000
/** Maximum users remembered as known to their platforms. */
const MAX_KNOWN_USERS = 10_000

/**
 * Lets the first run of a user on a key get its first event before others of that user start: simultaneous requests
 * of a new user create several end users of one name on the platform, each with its own conversations.
 */
export class NewUserGate {
  readonly #knownUsers = new Set<string>()
  readonly #firstRuns = new Map<string, Promise<void>>()

  async enter(run: LiveRun, order: RunOrder): Promise<void> {
    const user = JSON.stringify([order.credential.key_id, getEndUser(order)])
    const deadline = performance.now() + MAX_WAIT_MS
    while (!this.#knownUsers.has(user)) {
      const firstRun = this.#firstRuns.get(user)
      if (!firstRun) return this.#watch(run, user)
      const timeout = Promise.withResolvers<void>()
      const timer = setTimeout(timeout.resolve, deadline - performance.now())
      await Promise.race([firstRun, timeout.promise, run.ended])
      clearTimeout(timer)
      if (performance.now() >= deadline) return
    }
  }

  #watch(run: LiveRun, user: string): void {
    const firstRun = new Promise<void>((resolve) => {
      const unsubscribe = run.subscribe((event) => {
        unsubscribe()
        // A request that did not arrive created no user.
        if ('frames' in event || (event.end && event.end.problem?.kind !== 'unreachable')) this.#remember(user)
        this.#firstRuns.delete(user)
        resolve()
      })
    })
    this.#firstRuns.set(user, firstRun)
  }

  #remember(user: string): void {
    if (this.#knownUsers.size >= MAX_KNOWN_USERS) this.#knownUsers.clear()
    this.#knownUsers.add(user)
  }
}
