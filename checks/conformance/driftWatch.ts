import { findPlatformEntry, platformEntries } from '#contract/platformEntries.ts'
import {
  listUnseenContractParts,
  type DriftObservation,
  observeEvent,
  observeError,
  observeReply,
  type SeenPaths,
} from '#domain/contractDrift/observeReply.ts'
import type { ConformanceReply, ConformanceRequest } from './conformanceSuite.ts'
import { parseStream, type StreamEvent } from './streamChecks.ts'

/** The events of a run are those of the operation that started it. */
const toRunEntry = (event: StreamEvent): string => ('conversation_id' in event ? 'chat.send' : 'workflows.run')

/** Compares a platform's replies with the contract, as the console does with all traffic. */
export class DriftWatch {
  /** The differences of the platform, each once. */
  readonly drift: (DriftObservation & { operation: string })[] = []
  readonly #seenParts = new Map<string, SeenPaths>()
  readonly #reported = new Set<string>()

  get operations(): IterableIterator<string> {
    return this.#seenParts.keys()
  }

  observe({ method, path }: ConformanceRequest, { status, body, text, headers }: ConformanceReply): void {
    const one = findPlatformEntry(method, path)
    if (!one) return
    const parts = this.#seenParts.get(one.name) ?? new Map<string, Set<string>>()
    this.#seenParts.set(one.name, parts)
    if (status >= 300) this.#report(one.name, observeError(one.entry, status, body ?? text, parts))
    else if (headers.get('content-type')?.startsWith('text/event-stream'))
      for (const event of parseStream(text).events)
        this.#report(one.name, observeEvent(one.entry.events ? one.name : toRunEntry(event), event, parts))
    else this.#report(one.name, observeReply(one.entry, status, text === '' ? null : body, parts))
  }

  listNeverSeen = (name: string) => {
    const entry = platformEntries.get(name)
    return entry ? listUnseenContractParts(name, entry, this.#seenParts.get(name)) : []
  }

  #report(operation: string, observations: DriftObservation[]): void {
    for (const one of observations) {
      const { kind, event, path, value } = one
      const key = JSON.stringify([operation, kind, event, path, value])
      if (!this.#reported.has(key)) this.drift.push({ operation, ...one })
      this.#reported.add(key)
    }
  }
}
