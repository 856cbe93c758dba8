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
  /** Human input forms that were asked for, by `form_id`. */
  forms: Record<string, unknown>[]
  paused: { reasons: unknown; paused_nodes: unknown } | null
  /** Set by an `error` event. It is terminal. */
  problem: StreamProblem | null
  /** True once a terminal event was seen: `workflow_finished`, `workflow_paused` or `error`. */
  ended: boolean
  /** Events that came after the terminal one, counted and otherwise ignored. */
  late: number
  unknown: UnknownEvent[]
}

export interface RunNode {
  /** The execution id; where the platform gives none, made of the node id and its round. */
  id: string
  kind: 'node' | 'iteration' | 'loop'
  node_id: string | null
  node_type: string | null
  title: string | null
  index: number | null
  predecessor_node_id: string | null
  /** `running` until finished, then the platform's word. */
  status: string
  inputs: unknown
  process_data: unknown
  outputs: unknown
  error: string | null
  elapsed_time: number | null
  created_at: number | null
  finished_at: number | null
  execution_metadata: Record<string, unknown> | null
  files: unknown[]
  /** The `node_id` of the iteration or loop that holds this node, and the round (0-based) in which it ran. */
  parent: string | null
  round: number | null
  /** For an iteration or loop: how many rounds have begun. */
  rounds: number
  retries: { retry_index: number | null; error: string | null; elapsed_time: number | null }[]
  /** `agent_log` entries, upserted by id, in order of first sight. */
  logs: AgentLog[]
}

export interface AgentLog {
  id: string
  parent_id: string | null
  label: string | null
  status: string | null
  error: string | null
  data: unknown
  metadata: unknown
}

export interface StreamProblem {
  status: number | null
  code: string | null
  message: string | null
}

/** An event that no rule here knows: its name, how often it came, and the first one as it came. */
export interface UnknownEvent {
  event: string
  count: number
  sample: unknown
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
}

export function foldRun(run: RunState, _event: unknown): RunState {
  return run
}
