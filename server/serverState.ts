/**
 * What this server does for others. `draining`: everything, but it says that it is not ready, so that balancers send their
 * requests elsewhere. `stopping`: it begins no run any more, and goes on with those that it has.
 */
export type ServerPhase = 'ready' | 'draining' | 'stopping'

/** The phase of this server, from the start to the end of its process. */
export class ServerState {
  #phase: ServerPhase = 'ready'
  readonly #listeners: (() => void)[] = []

  get phase(): ServerPhase {
    return this.#phase
  }

  /** Called after each change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  set(phase: ServerPhase): void {
    this.#phase = phase
    for (const listener of this.#listeners) listener()
  }
}
