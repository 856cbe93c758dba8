interface Job<Request, Response> {
  request: Request
  signal: AbortSignal | undefined
  resolve: (response: Response | null) => void
}

/** A worker that runs one job at a time, each with a time limit; a timeout terminates the worker. */
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

  /** Null if the worker fails, exceeds the time limit, or the request was aborted before its turn. */
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
