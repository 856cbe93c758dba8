import type { RunNode } from './runNodes.ts'
import type { UnknownEvent } from '../stream/unknownEvents.ts'
import { asMessage, asNumber, asText } from '../stream/untrustedJson.ts'

export type { AgentLog, RunNode } from './runNodes.ts'
export type { UnknownEvent } from '../stream/unknownEvents.ts'

/**
 * What a workflow stream (or the workflow part of a chatflow's) folds into. Plain data: it survives JSON, so the server
 * stores the same value that the screen draws.
 */
export interface RunState {
  workflow_run_id: string | null
  workflow_id: string | null
  task_id: string | null
  /** The platform's word (`running`, `succeeded`, `failed`, `stopped`, `partial-succeeded`, `paused`, any other), null before it said one. */
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
  /** Nodes, iterations and loops in the order in which they were first named. Nesting is by `parent`. */
  nodes: RunNode[]
  /** Human input forms that were asked for, by `form_id`, as the platform sent them; `event` is the last event that spoke of one. */
  forms: Record<string, unknown>[]
  paused: { reasons: unknown; paused_nodes: unknown } | null
  /** Set by an `error` event. It is terminal. */
  problem: StreamProblem | null
  /** True once a terminal event was seen: `workflow_finished`, `workflow_paused` or `error`. */
  ended: boolean
  /** Events that came after the terminal one. They are counted; of them only what completes a node is taken. */
  late: number
  unknown: UnknownEvent[]
  /** Set where the end, or all that is known, is what operation 12 said; null where the run said it itself. */
  told: RunDetailSource | null
}

/** That a run is what operation 12 said of it, and not what its own stream or reply said. */
export interface RunDetailSource {
  /** When the platform was asked, ISO 8601. */
  at: string
  /** It began elsewhere: nothing is known of it but this. */
  elsewhere: boolean
  /** What had become of the call before the platform was asked, in words; null where nothing had. */
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

/** Events that say nothing about a run: the line is alive, or the answer is spoken. */
export const IGNORED_EVENTS: readonly string[] = ['ping', 'tts_message', 'tts_message_end']

export const toStreamProblem = (event: Record<string, unknown>): StreamProblem => ({
  status: asNumber(event.status),
  code: asText(event.code),
  message: asMessage(event.message),
})
