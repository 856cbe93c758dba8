import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ReportedServerState } from '#contract/console/servers.ts'
import type { ServerState } from '../../serverState.ts'

const DELAY_RESOLUTION_MS = 20
const DELAY_WINDOW_MS = 60_000

/** What a server reports in each heartbeat: a row of `servers`. */
export interface ServerDescription {
  state: ReportedServerState
  started_at: Date
  version: string
  hostname: string
  /** Null before it listens. */
  address: string | null
  active_runs: number
  open_streams: number
  /** The 99th percentile of the last minute. */
  event_loop_delay_ms: number
  /** Fingerprints of its master keys, the current one first. */
  master_keys: string[]
  /** Fingerprints of its settings, by each master key. */
  settings: Record<string, Record<string, string>>
}

interface ServerStatusDeps {
  serverState: Pick<ServerState, 'current'>
  version: string
  readAddress: () => string | null
  countActiveRuns: () => number
  countOpenStreams: () => number
  readFingerprints: () => Pick<ServerDescription, 'master_keys' | 'settings'>
}

export class ServerStatus {
  readonly #deps: ServerStatusDeps
  readonly #startedAt = new Date(Date.now() - process.uptime() * 1000)
  readonly #delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  #windowStartedAt = performance.now()
  #delayOfLastWindowMs = 0

  constructor(deps: ServerStatusDeps) {
    this.#deps = deps
    this.#delay.enable()
  }

  describe(): ServerDescription {
    const { serverState, version, readAddress, countActiveRuns, countOpenStreams, readFingerprints } = this.#deps
    return {
      state: serverState.current,
      started_at: this.#startedAt,
      version,
      hostname: hostname(),
      address: readAddress(),
      active_runs: countActiveRuns(),
      open_streams: countOpenStreams(),
      event_loop_delay_ms: this.#readDelayMs(),
      ...readFingerprints(),
    }
  }

  stop(): void {
    this.#delay.disable()
  }

  /** The higher value of the last window and the current one, which may have just begun. */
  #readDelayMs(): number {
    // The histogram measures the time between two timers, which is the resolution if nothing delays them.
    const delayMs = Math.max(0, Math.round(this.#delay.percentile(99) / 1e6 - DELAY_RESOLUTION_MS))
    const reported = Math.max(delayMs, this.#delayOfLastWindowMs)
    if (performance.now() - this.#windowStartedAt >= DELAY_WINDOW_MS) {
      this.#delayOfLastWindowMs = delayMs
      this.#windowStartedAt = performance.now()
      this.#delay.reset()
    }
    return reported
  }
}
