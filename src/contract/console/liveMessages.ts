import { z } from 'zod'
import { Id } from '../endpoint.ts'
import type { Problem } from '../problem.ts'
import type { Run } from './runs.ts'

/**
 * The single connection over which a page watches all its runs: a WebSocket at `/api/live`. With HTTP/1.1 a browser has
 * six connections for all its tabs, and a stream occupies one of them; a WebSocket occupies none.
 */
export const LIVE_PATH = '/api/live'

/** The event stream of a page whose WebSocket does not work: a POST with `LiveStreamRequest`. */
export const LIVE_EVENTS_PATH = '/api/live/events'

export const MAX_WATCHED_RUNS = 500

const FrameNumber = z.int().min(0).max(1_000_000_000)

/** Messages of the page over the WebSocket: watch a run after its frame `after`, stop watching it, or ask for `alive`. */
export const LiveRequest = z.union([
  z.strictObject({ watch: Id, after: FrameNumber }),
  z.strictObject({ unwatch: Id }),
  z.strictObject({ ping: z.literal(true) }),
])
export type LiveRequest = z.output<typeof LiveRequest>

const WatchedRun = z.strictObject({ run: Id, after: FrameNumber })
export type WatchedRun = z.output<typeof WatchedRun>

export const LiveStreamRequest = z.strictObject({ watch: z.array(WatchedRun).min(1).max(MAX_WATCHED_RUNS) })
export type LiveStreamRequest = z.output<typeof LiveStreamRequest>

/**
 * Server messages. `frames`: numbers with blocks and their times (ms since the request was sent, by the server's
 * clock), without gaps from the requested position; `live` follows once all stored frames are sent; `silent`: whether
 * the server that reads the run does not respond, so that the run may continue without frames here; `end`: the run's
 * final row; `left`: the server ended the subscription before the run's end, and the page may resubscribe. `alive`
 * answers a ping, opens an event stream and keeps it alive, and is sent every 15 s over either.
 */
export type LiveMessage =
  | { run: string; frames: [seq: number, block: string, at: number][] }
  | { run: string; live: true }
  | { run: string; silent: boolean }
  | { run: string; end: Run }
  | { run: string; refused: Problem }
  | { run: string; left: true }
  | { alive: true }
