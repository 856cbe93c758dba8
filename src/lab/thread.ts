import type { Asked, Told } from './protocol.ts'

let worker: Worker | null = null
let last = 0
const listeners = new Map<number, (told: Told) => void>()

/** Puts a question to the worker, which is started with the first one. @returns what takes it back. */
export function ask(question: Wanted, onTold: (told: Told) => void): () => void {
  const id = ++last
  listeners.set(id, onTold)
  thread().postMessage({ ...question, id } satisfies Asked)
  return () => {
    listeners.delete(id)
    worker?.postMessage({ id, kind: 'cancel' } satisfies Asked)
  }
}

type Wanted = Asked extends infer One ? (One extends { kind: 'cancel' } ? never : Omit<One & object, 'id'>) : never

function thread(): Worker {
  if (worker) return worker
  worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<Told>) => {
    listeners.get(data.id)?.(data)
    if (data.kind !== 'tidied' && data.kind !== 'chunks') listeners.delete(data.id)
  }
  worker.onerror = () => {
    for (const [id, listener] of listeners) listener({ id, kind: 'failed', reason: 'The lab’s worker has stopped.' })
    listeners.clear()
    worker = null
  }
  return worker
}
