import { BoundedWorker } from '../boundedWorker.ts'
import type { CodeToken } from './highlightCode.ts'

/** Code whose colours are looked for. The answer is its pieces; null for a language that is not shipped, or for too many. */
export interface ColourRequest {
  code: string
  language: string
}

/** Milliseconds that finding colours may take, loading the grammars included. */
const COLOUR_TIMEOUT_MS = 5_000

const worker = new BoundedWorker<ColourRequest, CodeToken[] | null>(
  () => new Worker(new URL('./highlightWorker.ts', import.meta.url), { type: 'module' }),
  COLOUR_TIMEOUT_MS,
)

/**
 * The scopes of a piece of code, found beside the page: its grammars take longer to load and to run than a picture may.
 * Where the worker fails or takes too long the code stays plain.
 */
export const highlightInWorker = (code: string, language: string, signal?: AbortSignal): Promise<CodeToken[] | null> =>
  worker.ask({ code, language }, signal)
