import type { LiveMessage } from '#contract/console/liveMessages.ts'

/**
 * Why a transport ended: `failed` if no message ever came, `silent` if no more came, `signed_out` if the session has ended,
 * else `closed`.
 */
export type TransportEnd = 'failed' | 'silent' | 'signed_out' | 'closed'

export interface TransportListener {
  /** The first message has arrived: the connection works. */
  onOpen(): void
  /** Any message but `alive`. */
  onMessage(message: LiveMessage): void
  /** Final, and not called after `close`. */
  onEnd(end: TransportEnd): void
}

/** A connection that delivers the messages of the watched runs. */
export interface LiveTransport {
  readonly kind: 'socket' | 'event_stream'
  /** Watches a run after its frame `after`. */
  watch(run_id: string, after: number): void
  unwatch(run_id: string): void
  close(): void
}
