import { foldNodes, NODE_EVENTS, type RunNode } from './runNodes.ts'
import { recordUnknownEvent, UNNAMED_EVENT, NOT_AN_OBJECT, type UnknownEvent } from '../stream/unknownEvents.ts'
import { asId, asJson, asList, asMessage, asNumber, asRecord, asText } from '../stream/untrustedJson.ts'

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

type Data = Record<string, unknown>

/** Events that say nothing about a run: the line is alive, or the answer is spoken. */
export const IGNORED_EVENTS: readonly string[] = ['ping', 'tts_message', 'tts_message_end']

/** The events of a workflow, which a chatflow mixes with those of its answer. */
export const WORKFLOW_EVENTS: readonly string[] = [
  ...NODE_EVENTS,
  'workflow_started',
  'workflow_finished',
  'workflow_paused',
  'text_chunk',
  'text_replace',
  'human_input_required',
  'human_input_form_filled',
  'human_input_form_timeout',
  'parallel_branch_started',
  'parallel_branch_finished',
]

/**
 * Takes one event of a workflow stream, or the whole blocking reply, into the run. Takes anything: what is no event, or
 * lacks what its name promises, is kept in `unknown`. Never throws and never changes what it is given.
 */
export function foldRun(run: RunState, input: unknown): RunState {
  if (input === undefined) return run
  const event = asRecord(input)
  if (!event) return recordUnknownEvent(run, NOT_AN_OBJECT, input)
  const name = asText(event.event)
  const data = asRecord(event.data)
  if (name === null)
    return isReply(event, data) ? foldReply(run, event, data) : recordUnknownEvent(run, UNNAMED_EVENT, event)
  if (IGNORED_EVENTS.includes(name)) return run
  if (name === 'error') return foldError(run, event)
  return (data && foldKnownEvent(run, name, event, data)) ?? recordUnknownEvent(countLate(run), name, event)
}

/** Null when the event is of no known name, or lacks what its name promises. */
function foldKnownEvent(run: RunState, name: string, event: Data, data: Data): RunState | null {
  switch (name) {
    case 'workflow_started':
      return startRun(run, event, data)
    case 'workflow_finished':
      return finishRun(run, event, data)
    case 'workflow_paused':
      return pauseRun(run, event, data)
    case 'text_chunk':
      return addText(run, event, data.text, (text) => ({ text: run.text + text }))
    case 'text_replace':
      return addText(run, event, data.text, (text) => ({ text }))
    case 'reasoning_chunk':
      return addText(run, event, data.reasoning, (text) => ({ reasoning: run.reasoning + text }))
    case 'human_input_required':
    case 'human_input_form_filled':
    case 'human_input_form_timeout':
      return {
        ...(run.paused ? run : countLate(run)),
        ...readRunIds(run, event, data),
        forms: upsertForm(run.forms, name, data),
      }
    default: {
      const nodes = foldNodes(run.nodes, name, data)
      return nodes && { ...countLate(run), ...readRunIds(run, event, data), nodes }
    }
  }
}

const isReply = (event: Data, data: Data | null): data is Data =>
  data !== null && (asId(event.workflow_run_id) ?? asId(event.task_id)) !== null

const foldReply = (run: RunState, event: Data, data: Data): RunState =>
  data.status === 'paused' ? pauseRun(run, event, data) : finishRun(run, event, data)

const countLate = (run: RunState): RunState => (run.ended ? { ...run, late: run.late + 1 } : run)

const readRunIds = (run: RunState, event: Data, data: Data) => ({
  workflow_run_id: asId(event.workflow_run_id) ?? asId(data.workflow_run_id) ?? run.workflow_run_id,
  task_id: asId(event.task_id) ?? run.task_id,
})

/** A paused run that is resumed begins again and keeps what it has. */
function startRun(run: RunState, event: Data, data: Data): RunState {
  const begins = !run.ended || (run.paused !== null && run.problem === null)
  const ids = readRunIds(run, event, data)
  return {
    ...(begins ? { ...run, status: 'running', paused: null, ended: false } : countLate(run)),
    task_id: ids.task_id,
    workflow_run_id: ids.workflow_run_id ?? asId(data.id),
    workflow_id: asId(data.workflow_id) ?? run.workflow_id,
    inputs: asJson(data.inputs) ?? run.inputs,
    created_at: run.created_at ?? asNumber(data.created_at),
  }
}

function finishRun(run: RunState, event: Data, data: Data): RunState {
  if (hasFinished(run)) return countLate(run)
  const ids = readRunIds(run, event, data)
  const files = asList(data.files)
  return {
    ...run,
    ...readResult(run, data),
    task_id: ids.task_id,
    workflow_run_id: ids.workflow_run_id ?? asId(data.id),
    workflow_id: asId(data.workflow_id) ?? run.workflow_id,
    status: asId(data.status) ?? run.status,
    error: asMessage(data.error) ?? run.error,
    finished_at: asNumber(data.finished_at) ?? run.finished_at,
    exceptions_count: asNumber(data.exceptions_count) ?? run.exceptions_count,
    files: files.length > 0 ? files : run.files,
    paused: null,
    ended: true,
  }
}

/** An `error` event or a pause ends a stream as well, and what the run came to may still follow it. */
const hasFinished = (run: RunState): boolean =>
  run.ended && run.paused === null && run.status !== null && run.status !== 'running'

const readResult = (run: RunState, data: Data) => ({
  outputs: asJson(data.outputs) ?? run.outputs,
  elapsed_time: asNumber(data.elapsed_time) ?? run.elapsed_time,
  total_tokens: asNumber(data.total_tokens) ?? run.total_tokens,
  total_steps: asNumber(data.total_steps) ?? run.total_steps,
  created_at: asNumber(data.created_at) ?? run.created_at,
})

function pauseRun(run: RunState, event: Data, data: Data): RunState {
  if (hasFinished(run)) return countLate(run)
  return {
    ...run,
    ...readResult(run, data),
    ...readRunIds(run, event, data),
    status: asId(data.status) ?? 'paused',
    paused: { reasons: asJson(data.reasons), paused_nodes: asJson(data.paused_nodes) },
    ended: true,
  }
}

function addText(
  run: RunState,
  event: Data,
  text: unknown,
  change: (text: string) => Partial<RunState>,
): RunState | null {
  if (typeof text !== 'string') return null
  if (run.ended) return countLate(run)
  return { ...run, ...readRunIds(run, event, {}), ...change(text) }
}

/** Forms are known by `form_id`; what follows one may name just its node. `event` in a form is the last that spoke of it. */
function upsertForm(forms: Data[], event: string, data: Data): Data[] {
  const form_id = asId(data.form_id)
  const node_id = asId(data.node_id)
  const at = forms.findLastIndex((form) =>
    form_id === null ? node_id !== null && form.node_id === node_id : form.form_id === form_id,
  )
  const form = { ...forms[at], ...asRecord(asJson(data)), event }
  return at < 0 ? [...forms, form] : forms.with(at, form)
}

function foldError(run: RunState, event: Data): RunState {
  if (run.problem) return countLate(run)
  return { ...run, ...readRunIds(run, event, {}), problem: toStreamProblem(event), ended: true }
}

export const toStreamProblem = (event: Data): StreamProblem => ({
  status: asNumber(event.status),
  code: asText(event.code),
  message: asMessage(event.message),
})
