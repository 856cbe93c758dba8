import { rmSync, statfsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { toDamagedError, toDiskFullError } from './folderGuard.ts'

/** PostgreSQL's error messages for a full disk. */
const DISK_FULL_MESSAGE = /No space left on device/
/** Minimum free bytes to open the embedded database: its WAL grows in segments of 16 MiB. */
const MIN_FREE_BYTES = 32 * 1024 * 1024
/** Delay between attempts to reopen it, in ms. */
const REOPEN_INTERVAL_MS = 2_000

/**
 * The worker thread of the embedded database. A full disk terminates the database; it is reopened as soon as there is
 * space, on the same socket and with all committed data. Until then it is unavailable, as any PostgreSQL may be.
 */
export class DatabaseThread {
  readonly #folder: string
  readonly #socket: string
  readonly #onDeath: (error: Error) => void
  #worker: Worker | null = null
  #reopening: Promise<void> = Promise.resolve()
  #isClosing = false

  private constructor(folder: string, socket: string, onDeath: (error: Error) => void) {
    this.#folder = folder
    this.#socket = socket
    this.#onDeath = onDeath
  }

  static async start(folder: string, socket: string, onDeath: (error: Error) => void): Promise<DatabaseThread> {
    const thread = new DatabaseThread(folder, socket, onDeath)
    await thread.#startWorker()
    return thread
  }

  /** The folder must not exist yet. */
  copy(to: string): Promise<void> {
    const worker = this.#worker
    return worker ? requestCopy(worker, to) : Promise.reject(toStoppedError())
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#reopening
    const worker = this.#worker
    if (!worker) return
    worker.postMessage('close')
    await new Promise((done) => worker.once('exit', done))
  }

  async #startWorker(): Promise<void> {
    const worker = await startWorker(this.#folder, this.#socket)
    this.#worker = worker
    const die = (error: Error) => {
      if (this.#worker !== worker || this.#isClosing) return
      this.#worker = null
      if (DISK_FULL_MESSAGE.test(error.message)) this.#reopening = this.#reopen()
      else this.#onDeath(error)
    }
    worker.on('error', die)
    worker.on('exit', () => die(toStoppedError()))
  }

  async #reopen(): Promise<void> {
    while (!this.#isClosing) {
      await wait(REOPEN_INTERVAL_MS)
      rmSync(this.#socket, { force: true })
      try {
        return await this.#startWorker()
      } catch (error) {
        if (hasFreeSpace(this.#folder)) return this.#onDeath(error as Error)
      }
    }
  }
}

async function startWorker(folder: string, socket: string): Promise<Worker> {
  const worker = new Worker(new URL('./databaseWorker.ts', import.meta.url), {
    workerData: { folder, socket },
    // Young objects of this thread are large and short-lived: a larger young generation would only use memory.
    resourceLimits: { maxYoungGenerationSizeMb: 24 },
    stdout: true,
  })
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      // It is terminated before the next one opens the same files.
      void worker
        .terminate()
        .then(() =>
          reject(
            hasFreeSpace(folder) ? toDamagedError(folder, `it does not open (${why})`) : toDiskFullError(folder, why),
          ),
        )
    }
    const onExit = (code: number) => fail(`the database stopped with code ${code}`)
    worker.once('error', fail)
    worker.once('exit', onExit)
    worker.once('message', () => {
      worker.off('error', fail)
      worker.off('exit', onExit)
      resolve()
    })
  })
  return worker
}

function hasFreeSpace(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= MIN_FREE_BYTES
}

const toStoppedError = (): Error => new Error('The embedded database has stopped.')

function requestCopy(worker: Worker, to: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error: Error | null) => {
      worker.off('message', onMessage)
      worker.off('exit', onExit)
      return error ? reject(error) : resolve()
    }
    const onExit = () => end(toStoppedError())
    const onMessage = (message: { copied?: string; problem?: string | null }) => {
      if (message.copied === to) end(message.problem ? new Error(message.problem) : null)
    }
    worker.on('message', onMessage)
    worker.on('exit', onExit)
    worker.postMessage({ copy: to })
  })
}
