import { PlatformError } from '../../platformErrors.ts'

/** Why a task was ended from outside: by its user, by the clock, or because the platform stops. */
export class StoppedError extends Error {
  override readonly name = 'Stopped'
  readonly by: keyof typeof STOP_REASONS
  constructor(by: StoppedError['by']) {
    super(STOP_REASONS[by])
    this.by = by
  }
}

const STOP_REASONS = {
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

export interface RunningTask<T> {
  task: Task
  /** What the work came to. Nobody has to wait for it. */
  result: Promise<T>
}

interface TaskWork<T> {
  id: string
  app: string
  user: string
  /** Whether only the end user that began it may stop it. */
  guarded: boolean
  run: (task: Task) => Promise<T>
}

/** Upstream's longest run. It ends as if its user had stopped it. */
export const MAX_RUN_MS = 1_200_000

export interface Tasks {
  begin: <T>(work: TaskWork<T>) => RunningTask<T>
  /** Asks a task to end. What is another's is left alone in silence, as upstream does. @returns whether there is such a task. */
  stop: (app: string, id: string, user: string) => boolean
  /** Keeps something that goes on behind an answer until it is done; `close` ends it. */
  runInBackground: (run: (signal: AbortSignal) => Promise<void>) => void
  /** Ends all and waits until each has written down how it ended. */
  close: () => Promise<void>
}

export function createTasks(): Tasks {
  const running = new Map<string, { app: string; user: string | null; stop: AbortController; done: Promise<unknown> }>()
  const backgroundTasks = new Set<Promise<void>>()
  const shutdown = new AbortController()
  return {
    begin({ id, app, user, guarded, run }) {
      if (shutdown.signal.aborted) throw new PlatformError(503, 'service_unavailable', 'The platform is stopping.')
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort(new StoppedError('time')), MAX_RUN_MS)
      const { task, end } = createTask(id, stop.signal)
      const result = run(task).finally(() => {
        clearTimeout(timer)
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
      if (task?.app === app && (task.user === null || task.user === user)) task.stop.abort(new StoppedError('user'))
      return task !== undefined
    },
    runInBackground(run) {
      if (shutdown.signal.aborted) return
      const done = run(shutdown.signal).catch(() => undefined)
      backgroundTasks.add(done)
      void done.then(() => backgroundTasks.delete(done))
    },
    async close() {
      shutdown.abort(new StoppedError('shutdown'))
      for (const { stop } of running.values()) stop.abort(new StoppedError('shutdown'))
      await Promise.all([...backgroundTasks, ...[...running.values()].map(({ done }) => done)])
    },
  }
}

function createTask(id: string, signal: AbortSignal): { task: Task; end: () => void } {
  const frames: string[] = []
  let nextFrame = Promise.withResolvers<void>()
  const notify = () => {
    nextFrame.resolve()
    nextFrame = Promise.withResolvers()
  }
  const task: Task = {
    id,
    signal,
    frames,
    ended: false,
    emit(event) {
      frames.push(`data: ${JSON.stringify(event)}\n\n`)
      notify()
    },
    next: () => nextFrame.promise,
  }
  const end = () => {
    task.ended = true
    notify()
  }
  return { task, end }
}
