import { z } from 'zod'
import { Id } from '../endpoint.ts'
import type { Problem } from '../problem.ts'
import type { Run } from './runs.ts'

/**
 * The single connection over which a page watches all its runs: a WebSocket at `/api/live`. With HTTP/1.1 a browser has
 * six connections for all its tabs, and a stream occupies one of them; a WebSocket occupies none.
 */
export const LIVE_PATH = '/api/live'

/** Client messages: watch a run after its frame `after`, or stop watching it. */
export const LiveRequest = z.union([
  z.strictObject({ watch: Id, after: z.int().min(0).max(1_000_000_000) }),
  z.strictObject({ unwatch: Id }),
])
export type LiveRequest = z.output<typeof LiveRequest>

/**
 * Server messages. `frames` are numbers with blocks and their times (ms since the request went out, by the server's clock),
 * without gaps from the requested position; `live` follows once all
 * stored frames are sent; `end` is the run's final row; `left` means that the server ended the subscription before the
 * run's end and the page may resubscribe. `alive` is sent every 15 s.
 */
export type LiveMessage =
  | { run: string; frames: [seq: number, block: string, at: number][] }
  | { run: string; live: true }
  | { run: string; end: Run }
  | { run: string; refused: Problem }
  | { run: string; left: true }
  | { alive: true }
