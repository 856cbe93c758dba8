interface Job<Request, Response> {
  request: Request
  signal: AbortSignal | undefined
  resolve: (response: Response | null) => void
}

/** A worker that does one job at a time, each within a time limit: one that takes longer ends with its worker. */
export class BoundedWorker<Request, Response> {
  readonly #start: () => Worker
  readonly #timeoutMs: number
  readonly #queue: Job<Request, Response>[] = []
  #worker: Worker | null = null
  #isBusy = false

  constructor(start: () => Worker, timeoutMs: number) {
    this.#start = start
    this.#timeoutMs = timeoutMs
  }

  /** Null where the worker fails, does not answer within the time limit, or nobody waits any more when its turn comes. */
  ask(request: Request, signal?: AbortSignal): Promise<Response | null> {
    return new Promise((resolve) => {
      this.#queue.push({ request, signal, resolve })
      this.#next()
    })
  }

  #next(): void {
    if (this.#isBusy) return
    const job = this.#queue.shift()
    if (!job) return
    if (job.signal?.aborted) {
      job.resolve(null)
      return this.#next()
    }
    this.#isBusy = true
    const worker = (this.#worker ??= this.#start())
    const end = (response: Response | null) => {
      clearTimeout(timer)
      this.#isBusy = false
      job.resolve(response)
      this.#next()
    }
    const fail = () => {
      worker.terminate()
      this.#worker = null
      end(null)
    }
    const timer = setTimeout(fail, this.#timeoutMs)
    worker.onmessage = ({ data }: MessageEvent<Response>) => end(data)
    worker.onerror = fail
    worker.postMessage(job.request)
  }
}
