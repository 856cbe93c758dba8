import { platformEntries } from '#contract/entries.ts'
import {
  neverSeen,
  type Observed,
  observeEvent,
  observeRefusal,
  observeReply,
  type SeenParts,
} from '#contract/observed.ts'
import { type Ask, type Reply, readStream } from './client.ts'

const patterns = [...platformEntries].map(([name, entry]) => ({
  name,
  entry,
  path: new RegExp(`^${entry.path.replace(/:\w+/g, '[^/]+')}$`),
}))

/** Holds what a platform answers against the contract, as the console does with all that passes it. */
export class Watch {
  /** In what the platform differs, each way once. */
  readonly drift: (Observed & { operation: string })[] = []
  readonly #seen = new Map<string, SeenParts>()
  readonly #told = new Set<string>()

  get operations(): IterableIterator<string> {
    return this.#seen.keys()
  }

  see({ method, path }: Ask, { status, body, text, headers }: Reply): void {
    const one = patterns.find(
      ({ entry, path: pattern }) => entry.method === method && pattern.test(path.split('?')[0] ?? ''),
    )
    if (!one) return
    const parts = this.#seen.get(one.name) ?? new Map<string, Set<string>>()
    this.#seen.set(one.name, parts)
    if (status >= 300) this.#tell(one.name, observeRefusal(one.entry, status, body ?? text, parts))
    else if (headers.get('content-type')?.startsWith('text/event-stream'))
      for (const event of readStream(text).events) this.#tell(one.name, observeEvent(one.name, event, parts))
    else this.#tell(one.name, observeReply(one.entry, status, text === '' ? null : body, parts))
  }

  neverSeen = (name: string) => {
    const entry = platformEntries.get(name)
    return entry ? neverSeen(name, entry, this.#seen.get(name)) : []
  }

  #tell(operation: string, found: Observed[]): void {
    for (const one of found) {
      const { kind, event, path, value } = one
      const key = JSON.stringify([operation, kind, event, path, value])
      if (!this.#told.has(key)) this.drift.push({ operation, ...one })
      this.#told.add(key)
    }
  }
}
