import type { RunNode } from './runNodes.ts'
import type { RunGap } from '#contract/console/runs.ts'
import type { UnknownEvent } from '../stream/unknownEvents.ts'

export type { AgentLog, RunNode } from './runNodes.ts'
export type { UnknownEvent } from '../stream/unknownEvents.ts'

/**
 * The state that a workflow stream (or the workflow part of a chatflow's) folds into. Plain data: it survives JSON, so
 * the server stores the same value that the screen shows.
 */
export interface RunState {
  workflow_run_id: string | null
  workflow_id: string | null
  task_id: string | null
  /**
   * The platform's status (`running`, `succeeded`, `failed`, `stopped`, `partial-succeeded`, `paused`, any other), null
   * before the first one.
   */
  status: string | null
  inputs: unknown
  outputs: unknown
  error: string | null
  elapsed_time: number | null
  total_tokens: number | null
  total_steps: number | null
  created_at: number | null
  finished_at: number | null
  exceptions_count: number | null
  /** All `text_chunk` deltas, or the text of the last `text_replace`. */
  text: string
  /** All `reasoning_chunk` deltas. */
  reasoning: string
  files: unknown[]
  /** Nodes, iterations and loops in order of first appearance. Nesting is by `parent`. */
  nodes: RunNode[]
  /** Requested human input forms, by `form_id`, as the platform sent them; `event` is the last event about the form. */
  forms: Record<string, unknown>[]
  paused: { reasons: unknown; paused_nodes: unknown } | null
  /** Set by an `error` event. It is terminal. */
  problem: StreamProblem | null
  /** True once a terminal event was seen: `workflow_finished`, `workflow_paused` or `error`. */
  ended: boolean
  /** Number of events after the terminal one; only those that complete a node are applied. */
  late: number
  unknown: UnknownEvent[]
  /** The names of events that were too large, of which only the first part was read. */
  cut?: string[]
  /** Where parts of the stream were missed, in order. */
  gaps?: RunGap[]
  /** Set if the end, or the full state, comes from operation 12; null if it comes from the run itself. */
  told: RunDetailSource | null
}

/** Set when the state comes from operation 12 instead of the run's own stream or reply. */
export interface RunDetailSource {
  /** When the platform was queried, ISO 8601. */
  at: string
  /** The run was started outside this console: this record is all that is known of it. */
  elsewhere: boolean
  /** The call's own error message before the platform was queried; null if there was none. */
  because: string | null
}

export interface StreamProblem {
  status: number | null
  code: string | null
  message: string | null
}

export const emptyRun: RunState = {
  workflow_run_id: null,
  workflow_id: null,
  task_id: null,
  status: null,
  inputs: null,
  outputs: null,
  error: null,
  elapsed_time: null,
  total_tokens: null,
  total_steps: null,
  created_at: null,
  finished_at: null,
  exceptions_count: null,
  text: '',
  reasoning: '',
  files: [],
  nodes: [],
  forms: [],
  paused: null,
  problem: null,
  ended: false,
  late: 0,
  unknown: [],
  told: null,
}
