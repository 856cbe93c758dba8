import type { ReportedServerState } from '#contract/console/servers.ts'

/** What this server does for others, from the start to the end of its process. */
export class ServerState {
  #current: ReportedServerState = 'ready'
  #onChange: () => void = () => undefined

  get current(): ReportedServerState {
    return this.#current
  }

  /** Called after each change; there is one listener. */
  onChange(listener: () => void): void {
    this.#onChange = listener
  }

  set(state: ReportedServerState): void {
    this.#current = state
    this.#onChange()
  }
}
