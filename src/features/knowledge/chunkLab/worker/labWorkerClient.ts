import type { LabWorkerRequest, LabWorkerResponse } from './labWorkerMessages.ts'

let worker: Worker | null = null
let lastRequestId = 0
const listeners = new Map<number, (response: LabWorkerResponse) => void>()

/** Puts a question to the worker, which is started with the first one. @returns what takes it back. */
export function requestFromLabWorker(
  question: LabWorkerRequestBody,
  onResponse: (response: LabWorkerResponse) => void,
): () => void {
  const id = ++lastRequestId
  listeners.set(id, onResponse)
  getWorker().postMessage({ ...question, id } satisfies LabWorkerRequest)
  return () => {
    listeners.delete(id)
    worker?.postMessage({ id, kind: 'cancel' } satisfies LabWorkerRequest)
  }
}

type LabWorkerRequestBody = LabWorkerRequest extends infer One
  ? One extends { kind: 'cancel' }
    ? never
    : Omit<One & object, 'id'>
  : never

function getWorker(): Worker {
  if (worker) return worker
  worker = new Worker(new URL('./labWorker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<LabWorkerResponse>) => {
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
