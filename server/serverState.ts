import type { ReportedServerState } from '#contract/console/servers.ts'

export class ServerState {
  #current: ReportedServerState = 'ready'
  #onChange: () => void = () => undefined

  get current(): ReportedServerState {
    return this.#current
  }

  /** Sets the single listener that is called after each change. */
  onChange(listener: () => void): void {
    this.#onChange = listener
  }

  set(state: ReportedServerState): void {
    this.#current = state
    this.#onChange()
  }
}
