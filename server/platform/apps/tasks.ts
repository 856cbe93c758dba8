import { PlatformError } from '../errors.ts'

/** Why a task was ended from outside: by its user, by the clock, or because the platform stops. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly by: keyof typeof WHY
  constructor(by: Stopped['by']) {
    super(WHY[by])
    this.by = by
  }
}

const WHY = {
  user: 'The run was stopped by its user.',
  time: 'The run was stopped after 1200 seconds, the longest that one may take.',
  shutdown: 'The platform was stopped in the middle of this run.',
}

/** A generation that runs to its end whoever listens. Its frames are kept while it lives, so that one can join late. */
export interface Task {
  id: string
  signal: AbortSignal
  frames: readonly string[]
  ended: boolean
  /** Adds an event of the stream. */
  emit: (event: object) => void
  /** Settles with the next frame, or with the end. */
  next: () => Promise<void>
}

export interface Running<T> {
  task: Task
  /** What the work came to. Nobody has to wait for it. */
  result: Promise<T>
}

interface Work<T> {
  id: string
  app: string
  user: string
  /** Whether only the end user that began it may stop it. */
  guarded: boolean
  run: (task: Task) => Promise<T>
}

/** Upstream's longest run. It ends as if its user had stopped it. */
export const LONGEST_MS = 1_200_000

export interface Tasks {
  begin: <T>(work: Work<T>) => Running<T>
  /** Asks a task to end. What is another's is left alone in silence, as upstream does. @returns whether there is such a task. */
  stop: (app: string, id: string, user: string) => boolean
  /** Keeps something that goes on behind an answer until it is done; `close` ends it. */
  follow: (run: (signal: AbortSignal) => Promise<void>) => void
  /** Ends all and waits until each has written down how it ended. */
  close: () => Promise<void>
}

export function openTasks(): Tasks {
  const running = new Map<string, { app: string; user: string | null; stop: AbortController; done: Promise<unknown> }>()
  const behind = new Set<Promise<void>>()
  const shutdown = new AbortController()
  return {
    begin({ id, app, user, guarded, run }) {
      if (shutdown.signal.aborted) throw new PlatformError(503, 'service_unavailable', 'The platform is stopping.')
      const stop = new AbortController()
      const limit = setTimeout(() => stop.abort(new Stopped('time')), LONGEST_MS)
      const { task, end } = openTask(id, stop.signal)
      const result = run(task).finally(() => {
        clearTimeout(limit)
        running.delete(id)
        end()
      })
      // A stream reads the frames and not the result; a refusal stands in them.
      const done = result.catch(() => undefined)
      running.set(id, { app, user: guarded ? user : null, stop, done })
      return { task, result }
    },
    stop(app, id, user) {
      const task = running.get(id)
      if (task?.app === app && (task.user === null || task.user === user)) task.stop.abort(new Stopped('user'))
      return task !== undefined
    },
    follow(run) {
      if (shutdown.signal.aborted) return
      const done = run(shutdown.signal).catch(() => undefined)
      behind.add(done)
      void done.then(() => behind.delete(done))
    },
    async close() {
      shutdown.abort(new Stopped('shutdown'))
      for (const { stop } of running.values()) stop.abort(new Stopped('shutdown'))
      await Promise.all([...behind, ...[...running.values()].map(({ done }) => done)])
    },
  }
}

function openTask(id: string, signal: AbortSignal): { task: Task; end: () => void } {
  const frames: string[] = []
  let waiting = Promise.withResolvers<void>()
  const wake = () => {
    waiting.resolve()
    waiting = Promise.withResolvers()
  }
  const task: Task = {
    id,
    signal,
    frames,
    ended: false,
    emit(event) {
      frames.push(`data: ${JSON.stringify(event)}\n\n`)
      wake()
    },
    next: () => waiting.promise,
  }
  const end = () => {
    task.ended = true
    wake()
  }
  return { task, end }
}
