import { BoundedWorker } from '../boundedWorker.ts'
import type { CodeToken } from './highlightCode.ts'

/** Code to highlight. The response is its tokens; null for an unsupported language, or for too many tokens. */
export interface ColourRequest {
  code: string
  language: string
}

/** Timeout for highlighting, including loading the grammars (ms). */
const COLOUR_TIMEOUT_MS = 5_000

const worker = new BoundedWorker<ColourRequest, CodeToken[] | null>(
  () => new Worker(new URL('./highlightWorker.ts', import.meta.url), { type: 'module' }),
  COLOUR_TIMEOUT_MS,
)

/**
 * Highlights code in a worker: loading and running the grammars takes longer than a frame. If the worker fails or
 * times out, the code stays plain.
 */
export const highlightInWorker = (code: string, language: string, signal?: AbortSignal): Promise<CodeToken[] | null> =>
  worker.ask({ code, language }, signal)
