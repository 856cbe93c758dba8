import type { Piece } from './highlight.ts'

/** Code whose colours are looked for, and what was found: null for a language that is not shipped. */
export interface Wanted {
  id: number
  code: string
  language: string
}
export interface Found {
  id: number
  pieces: Piece[] | null
}

let worker: Worker | null = null
let last = 0
const waiting = new Map<number, (pieces: Piece[] | null) => void>()

/**
 * The scopes of a piece of code, found beside the page: its grammars take longer to load and to run than a picture may.
 * Where the worker fails the code stays plain.
 */
export function coloursOf(code: string, language: string): Promise<Piece[] | null> {
  const id = ++last
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    thread().postMessage({ id, code, language } satisfies Wanted)
  })
}

function thread(): Worker {
  if (worker) return worker
  worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<Found>) => {
    waiting.get(data.id)?.(data.pieces)
    waiting.delete(data.id)
  }
  worker.onerror = () => {
    for (const tell of waiting.values()) tell(null)
    waiting.clear()
    worker = null
  }
  return worker
}
