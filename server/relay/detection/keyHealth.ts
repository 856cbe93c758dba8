import type { KeyKind } from '#contract/endpoint.ts'
import type { Problem } from '#contract/problem.ts'
import type { KeyObservation, PlatformCredential } from '../../vault/vault.ts'

/** Milliseconds between two updates for a key that keeps working. */
const SUCCESS_INTERVAL_MS = 15_000
/** Statuses of a gateway whose platform does not respond. */
const GATEWAY_STATUSES = [502, 503, 504, 521, 522, 523]
const WRONG_KIND_CODES = ['not_chat_app', 'not_completion_app', 'not_workflow_app']

type RecordKeyHealth = (key_id: string, observation: KeyObservation) => Promise<void>

/**
 * Records the health of each key: successes at intervals; a failure, or a success after one, immediately. The returned
 * promises resolve once it is stored and never reject: a reply does not fail because its health could not be stored.
 */
export class KeyHealth {
  readonly #recordHealth: RecordKeyHealth
  readonly #now: () => number
  readonly #lastSuccess = new Map<string, { at: number; provedKind: boolean }>()

  constructor(recordHealth: RecordKeyHealth, now: () => number = Date.now) {
    this.#recordHealth = recordHealth
    this.#now = now
  }

  /** The platform accepted the request; its response began after `latency_ms`. */
  recordSuccess(
    { key_id }: Pick<PlatformCredential, 'key_id'>,
    latency_ms: number | null,
    provesKind: boolean,
  ): Promise<void> {
    const last = this.#lastSuccess.get(key_id)
    const isRecent = last !== undefined && this.#now() - last.at < SUCCESS_INTERVAL_MS
    if (isRecent && (last.provedKind || !provesKind)) return Promise.resolve()
    this.#lastSuccess.set(key_id, { at: this.#now(), provedKind: provesKind })
    return this.#recordHealth(key_id, { state: 'healthy', latency_ms, provesKind }).catch(() => undefined)
  }

  /**
   * A failed request. `isRead`: an interrupted or late read means that the platform is down, a long answer may just
   * have been interrupted. `isOwnKind`: the operation belongs to the kind of the key, so an error about the app's
   * mode concerns the key.
   */
  recordProblem(
    { key_id }: Pick<PlatformCredential, 'key_id'>,
    problem: Problem,
    about: { isRead: boolean; isOwnKind: boolean },
  ): Promise<void> {
    const state = toHealthState(problem, about)
    return state ? this.#recordFailure(key_id, { state, problem }) : Promise.resolve()
  }

  /** The platform accepts the key as another kind. */
  recordWrongKind({ key_id, kind }: Pick<PlatformCredential, 'key_id' | 'kind'>, detected: KeyKind): Promise<void> {
    const message = `The platform accepts this key as a ${detected} key, not as a ${kind} key.`
    return this.#recordFailure(key_id, { state: 'wrong_kind', problem: { kind: 'refused', message } })
  }

  /** The key was replaced: the next success is noted in any case. */
  reset({ key_id }: Pick<PlatformCredential, 'key_id'>): void {
    this.#lastSuccess.delete(key_id)
  }

  #recordFailure(key_id: string, observation: KeyObservation): Promise<void> {
    this.#lastSuccess.delete(key_id)
    return this.#recordHealth(key_id, observation).catch(() => undefined)
  }
}

/** What a failed request says about its key; null if it concerns the request only. */
function toHealthState({ kind, upstream }: Problem, { isRead, isOwnKind }: { isRead: boolean; isOwnKind: boolean }) {
  if (kind === 'unreachable' || (isRead && (kind === 'late' || kind === 'cut'))) return 'unreachable'
  const { code } = (upstream?.body ?? {}) as { code?: unknown }
  if (upstream?.status === 401) return 'refused'
  if (isOwnKind && WRONG_KIND_CODES.includes(String(code))) return 'wrong_kind'
  if (code === 'app_unavailable') return 'app_unavailable'
  const isGateway = typeof code !== 'string' && GATEWAY_STATUSES.includes(upstream?.status ?? 0)
  return isGateway ? 'unreachable' : null
}
