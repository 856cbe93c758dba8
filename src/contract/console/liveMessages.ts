import { z } from 'zod'
import { Id } from '../endpoint.ts'
import type { Problem } from '../problem.ts'
import type { Run } from './runs.ts'

/**
 * The one line over which a page watches all its runs: a WebSocket at `/api/live`. HTTP/1.1 gives a browser six
 * connections for all its tabs, and a stream holds one as long as it runs; a WebSocket counts among none of them.
 */
export const LIVE_PATH = '/api/live'

/** What a page says: watch a run after its frame `after`, or no more. */
export const LiveRequest = z.union([
  z.strictObject({ watch: Id, after: z.int().min(0).max(1_000_000_000) }),
  z.strictObject({ unwatch: Id }),
])
export type LiveRequest = z.output<typeof LiveRequest>

/**
 * What the server says. `frames` are numbers with blocks, gap-free from where the page stood; `live` comes once the page
 * has all there is; `end` is the run as its row has it; `left` means that the server lets go of the run without an end
 * and the page may come back. `alive` comes each 15 s.
 */
export type LiveMessage =
  | { run: string; frames: [seq: number, block: string][] }
  | { run: string; live: true }
  | { run: string; end: Run }
  | { run: string; refused: Problem }
  | { run: string; left: true }
  | { alive: true }
