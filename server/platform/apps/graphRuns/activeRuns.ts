import type { Task } from '../tasks/tasks.ts'
import type { RunSnapshot } from './runReplies.ts'

export interface ActiveRun {
  task: Task
  /** What the run has done up to the last frame of its task. */
  snapshot: () => RunSnapshot
  /** Whether the task ended with a pause. */
  isPaused: () => boolean
}

/** The starts of a run since the watch began, oldest first; a reader takes them out. */
export interface RunWatch {
  started: ActiveRun[]
  /** Resolves with the next start. */
  whenStarted: () => Promise<void>
  cancel: () => void
}

/** The runs that this process executes, for readers of their events. Paused runs are not included. */
export interface ActiveRuns {
  add: (id: string, run: ActiveRun) => void
  remove: (id: string) => void
  get: (id: string) => ActiveRun | undefined
  /** Follows the starts of a run: it has one for each part between two pauses. */
  watch: (id: string) => RunWatch
}

export function createActiveRuns(): ActiveRuns {
  const runs = new Map<string, ActiveRun>()
  const watchers = new Map<string, Set<(run: ActiveRun) => void>>()
  return {
    add(id, run) {
      runs.set(id, run)
      for (const onStarted of watchers.get(id) ?? []) onStarted(run)
    },
    remove: (id) => void runs.delete(id),
    get: (id) => runs.get(id),
    watch(id) {
      const started: ActiveRun[] = []
      let next = Promise.withResolvers<void>()
      const onStarted = (run: ActiveRun) => {
        started.push(run)
        next.resolve()
        next = Promise.withResolvers()
      }
      const all = watchers.get(id) ?? new Set()
      watchers.set(id, all.add(onStarted))
      return {
        started,
        whenStarted: () => next.promise,
        cancel: () => {
          all.delete(onStarted)
          if (all.size === 0) watchers.delete(id)
        },
      }
    },
  }
}
