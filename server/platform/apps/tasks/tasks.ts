import { PlatformError } from '../../platformErrors.ts'

/** Why a task was stopped from outside: by its user, by timeout, or by the platform's shutdown. */
export class StoppedError extends Error {
  override readonly name = 'Stopped'
  readonly by: keyof typeof STOP_REASONS
  constructor(by: StoppedError['by']) {
    super(STOP_REASONS[by])
    this.by = by
  }
}

const STOP_REASONS = {
  user: 'Aborted: User requested stop',
  time: 'Aborted: Maximum execution time exceeded: 1200 seconds',
  shutdown: 'The platform was stopped during this run.',
}

/**
 * A generation that runs to its end independently of clients. Its frames are stored while it is active, so that clients
 * can join late.
 */
export interface Task {
  id: string
  signal: AbortSignal
  frames: readonly string[]
  ended: boolean
  /** Adds an event of the stream. */
  emit: (event: object) => void
  /** Resolves with the next frame, or at the end. */
  next: () => Promise<void>
}

export interface RunningTask<T> {
  task: Task
  /** The result of the work. Awaiting it is optional. */
  result: Promise<T>
}

interface TaskWork<T> {
  id: string
  app: string
  user: string
  /** Whether only the end user that started it may stop it. */
  guarded: boolean
  run: (task: Task) => Promise<T>
}

/** Upstream's maximum duration of a run. After it the run ends as if its user had stopped it. */
export const MAX_RUN_MS = 1_200_000

export interface Tasks {
  begin: <T>(work: TaskWork<T>) => RunningTask<T>
  /**
   * Requests the end of a task. Tasks of other users are silently ignored, as upstream does. @returns whether the task
   * exists.
   */
  stop: (app: string, id: string, user: string) => boolean
  /** Tracks background work after an answer until it is done; `close` aborts it. */
  runInBackground: (run: (signal: AbortSignal) => Promise<void>) => void
  /** Stops all tasks and waits until each has stored its final state. */
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
        // A resumed run has started a task with the same id.
        if (running.get(id) === entry) running.delete(id)
        end()
      })
      // A stream reads the frames, not the result; errors are in the frames.
      const done = result.catch(() => undefined)
      const entry = { app, user: guarded ? user : null, stop, done }
      running.set(id, entry)
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
