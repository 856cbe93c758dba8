import { toUnixSeconds } from '../platformContext.ts'
import { PlatformError } from '../platformErrors.ts'
import { ModelError } from '../model/model.ts'
import type { WorkflowGraph, WorkflowNode, WorkflowNodeByType, ValueSelector, Workflow } from './workflowGraph.ts'
import { executeNode, findLeadingText, type PlainNode } from './executeNode.ts'
import { prepareForm, toSubmissionOutcome, type FormSubmission, type PreparedForm } from './humanInput.ts'
import { NodeError, type NodeOutcome, type NodeScope, type NodeServices } from './nodeScope.ts'
import { truncateValue } from './truncateValue.ts'
import { toTopologicalOrder } from './validateWorkflow.ts'

export interface WorkflowRunOrder {
  workflow: Workflow
  /** The validated values of the form, and those of the platform (`sys.user_id` and others). */
  inputs: Record<string, unknown>
  system: Record<string, unknown>
  services: NodeServices
  signal: AbortSignal
  /** Receives the events of the nodes as they happen; a text has its own event. */
  emit: (event: string, data: Record<string, unknown>) => void
  onText: (text: string, source: ValueSelector) => void
  /** Receives the usage of each generated text. */
  onUsage: (usage: NonNullable<NodeOutcome['usage']>) => void
  /** The variables of the conversation, by name; read as `conversation.name`. The caller keeps them current. */
  conversation: Record<string, unknown>
  /** Continues a paused run with the answer to its form. */
  resumption?: { state: WorkflowState; submission: FormSubmission } | undefined
  /** Receives errors that are not caused by input. */
  onError: (error: unknown) => void
}

export interface WorkflowRunEnd {
  status: 'succeeded' | 'failed' | 'stopped'
  outputs: Record<string, unknown> | null
  error: string | null
  total_steps: number
  total_tokens: number
}

/** A run that waits for an answer to its form. */
export interface WorkflowPause {
  status: 'paused'
  form: PreparedForm
  state: WorkflowState
  total_steps: number
  total_tokens: number
}

/** Everything that a paused run needs to continue, as JSON. */
export interface WorkflowState {
  /** The outputs of completed nodes. */
  values: Record<string, Record<string, unknown>>
  /** The predecessor of each node that an edge has led to. */
  predecessors: Record<string, string>
  ended: Record<string, unknown>
  counters: { index: number; steps: number; tokens: number }
  /** The waiting node's execution; it finishes with the same id and index. */
  waiting: { id: string; index: number }
}

/** Outputs by node. */
type NodeOutputs = ReadonlyMap<string, Record<string, unknown>>
/** The place of a node in a run, and the values that a pause must store. */
interface NodeVisit extends Pick<NodePlace, 'predecessor' | 'round'> {
  values: NodeOutputs
  predecessors: ReadonlyMap<string, string>
  ended: Record<string, unknown>
}
interface NodePlace {
  predecessor: string | null
  round: IterationRound
  execution?: WorkflowState['waiting'] | undefined
}
/** The current round of an iteration. */
type IterationRound = { iteration_id: string; index: number } | null

/** Maximum steps of a run, as upstream. */
const MAX_STEPS = 500

/** Runs a graph step by step, to its end or to a node that waits for a person. Failures are part of the result. */
export async function runWorkflow(order: WorkflowRunOrder): Promise<WorkflowRunEnd | WorkflowPause> {
  return new WorkflowRunner(order).run()
}

/** One run of a workflow: it counts its steps and tokens, and emits the events of its nodes. */
class WorkflowRunner {
  readonly #order: WorkflowRunOrder
  readonly #counters: WorkflowState['counters']
  readonly #streamedNodes: ReadonlyMap<string, string>

  constructor(order: WorkflowRunOrder) {
    this.#order = order
    this.#counters = { ...(order.resumption?.state.counters ?? { index: 0, steps: 0, tokens: 0 }) }
    this.#streamedNodes = findStreamedNodes(order.workflow.graph)
  }

  async run(): Promise<WorkflowRunEnd | WorkflowPause> {
    const { workflow, signal, system, conversation } = this.#order
    try {
      const values = new Map([
        ['sys', Object.fromEntries(withoutPrefix(system))],
        ['conversation', conversation],
      ])
      const { ended } = await this.#runGraph(workflow.graph, values, null)
      return this.#toEnd({ status: 'succeeded', outputs: ended, error: null })
    } catch (error) {
      if (error instanceof PauseSignal) return error.pause
      const status = signal.aborted ? 'stopped' : 'failed'
      return this.#toEnd({ status, outputs: null, error: this.#reasonOf(error) })
    }
  }

  #toEnd(rest: Pick<WorkflowRunEnd, 'status' | 'outputs' | 'error'>): WorkflowRunEnd {
    return { ...rest, total_steps: this.#counters.steps, total_tokens: this.#counters.tokens }
  }

  #now(): number {
    return toUnixSeconds(this.#order.services.clock())
  }

  /** Visits the nodes that the edges lead to, one after the other. */
  async #runGraph(graph: WorkflowGraph, outside: NodeOutputs, round: IterationRound) {
    const { signal, resumption } = this.#order
    // A form interrupts only the graph of the run, never that of an iteration.
    const state = round === null ? resumption?.state : undefined
    const values = new Map([...outside, ...Object.entries(state?.values ?? {})])
    const ended: Record<string, unknown> = { ...state?.ended }
    const predecessors = new Map(Object.entries(state?.predecessors ?? {}))
    for (const [place, node] of toTopologicalOrder(graph).entries()) {
      const predecessor = predecessors.get(node.id) ?? null
      if (place > 0 && predecessor === null) continue
      if (values.has(node.id)) continue
      signal.throwIfAborted()
      if (++this.#counters.steps > MAX_STEPS) throw new NodeError(`The run takes more than ${MAX_STEPS} steps.`)
      const { outputs, edgeName } = await this.#visit(node, { values, predecessors, ended, predecessor, round })
      values.set(node.id, outputs)
      if (node.type === 'end') Object.assign(ended, outputs)
      for (const edge of graph.edges)
        if (edge.from === node.id && edge.when === edgeName) predecessors.set(edge.to, node.id)
    }
    return { values, ended }
  }

  async #visit(node: WorkflowNode, visit: NodeVisit): Promise<NodeOutcome> {
    const { values, predecessor, round } = visit
    if (node.type === 'iteration') return this.#runIteration(node, values)
    if (node.type !== 'human-input')
      return this.#runNode(node, { predecessor, round }, async () =>
        node.type === 'start' ? this.#begin() : executeNode(node, this.#scopeOf(node, values)),
      )
    const { resumption } = this.#order
    const waiting = resumption?.state.waiting
    const submission = resumption?.submission
    if (submission?.node_id === node.id)
      return this.#runNode(node, { predecessor, round, execution: waiting }, async () =>
        toSubmissionOutcome(submission),
      )
    return this.#pause(node, visit)
  }

  /** Pauses the run: its form and its state are the result. */
  async #pause(node: WorkflowNodeByType<'human-input'>, { values, predecessors, ended, predecessor }: NodeVisit) {
    const waiting = { id: crypto.randomUUID(), index: ++this.#counters.index }
    return this.#runNode(node, { predecessor, round: null, execution: waiting }, async () => {
      throw new PauseSignal({
        status: 'paused',
        form: prepareForm(node, (selector) => resolveSelector(values, selector)),
        state: {
          values: Object.fromEntries([...values].filter(([id]) => id !== 'sys' && id !== 'conversation')),
          predecessors: Object.fromEntries(predecessors),
          ended,
          counters: { ...this.#counters },
          waiting,
        },
        total_steps: this.#counters.steps,
        total_tokens: this.#counters.tokens,
      })
    })
  }

  /** Runs one node between its two events. `execution` is given if it began before a pause. */
  async #runNode(
    node: Exclude<WorkflowNode, WorkflowNodeByType<'iteration'>>,
    { predecessor, round, execution }: NodePlace,
    execute: () => Promise<NodeOutcome>,
  ): Promise<NodeOutcome> {
    const { services, signal, emit } = this.#order
    const began = services.clock()
    const nodeInfo = {
      id: execution?.id ?? crypto.randomUUID(),
      node_id: node.id,
      node_type: node.type,
      title: node.title,
      index: execution?.index ?? ++this.#counters.index,
      predecessor_node_id: predecessor,
      created_at: this.#now(),
      iteration_id: round?.iteration_id ?? null,
      loop_id: null,
    }
    emit('node_started', { ...nodeInfo, inputs: null, inputs_truncated: false, extras: {}, agent_strategy: null })
    const finish = (
      status: string,
      { inputs, process_data, outputs, usage }: Partial<NodeOutcome>,
      error: string | null,
    ) => {
      const [inputsEvent, processEvent, outputsEvent] = [
        truncateValue(inputs ?? {}),
        truncateValue(process_data ?? {}),
        truncateValue(outputs ?? {}),
      ]
      emit('node_finished', {
        ...nodeInfo,
        inputs: inputsEvent.value,
        inputs_truncated: inputsEvent.truncated,
        process_data: processEvent.value,
        process_data_truncated: processEvent.truncated,
        outputs: outputsEvent.value,
        outputs_truncated: outputsEvent.truncated,
        status,
        error,
        elapsed_time: (services.clock() - began) / 1000,
        execution_metadata: {
          ...toUsageMetadata(usage),
          ...(round ? { iteration_id: round.iteration_id, iteration_index: round.index } : {}),
        },
        finished_at: this.#now(),
        files: [],
      })
    }
    try {
      const outcome = await execute()
      this.#counters.tokens += outcome.usage?.total_tokens ?? 0
      if (outcome.usage) this.#order.onUsage(outcome.usage)
      finish('succeeded', outcome, null)
      return outcome
    } catch (error) {
      if (error instanceof PauseSignal) throw error
      throw this.#toRunError(node, error, (reason) => finish(signal.aborted ? 'stopped' : 'failed', {}, reason))
    }
  }

  #begin(): NodeOutcome {
    const all = { ...this.#order.inputs, ...this.#order.system }
    return { inputs: all, outputs: all }
  }

  #scopeOf(node: PlainNode, values: NodeOutputs): NodeScope {
    const { services, signal, onText } = this.#order
    const leading = node.type === 'answer' ? findLeadingText(node) : null
    return {
      services,
      signal,
      read: (selector) => resolveSelector(values, selector),
      onText: node.type === 'answer' || this.#streamedNodes.has(node.id) ? onText : undefined,
      isLeadingTextSent: leading !== null && this.#streamedNodes.get(leading) === node.id,
    }
  }

  /** Iterations have their own events instead of those of a node. */
  async #runIteration(node: WorkflowNodeByType<'iteration'>, values: NodeOutputs): Promise<NodeOutcome> {
    const { services, signal, emit } = this.#order
    const began = services.clock()
    const before = { tokens: this.#counters.tokens, steps: this.#counters.steps }
    const nodeInfo = {
      id: crypto.randomUUID(),
      node_id: node.id,
      node_type: node.type,
      title: node.title,
      created_at: this.#now(),
      extras: {},
    }
    this.#counters.index++
    const items = resolveSelector(values, node.iterator_selector)
    const inputs = truncateValue({ iterator_selector: items })
    const inputsEvent = { inputs: inputs.value, inputs_truncated: inputs.truncated }
    emit('iteration_started', {
      ...nodeInfo,
      ...inputsEvent,
      metadata: { iterator_length: Array.isArray(items) ? items.length : 0 },
    })
    const gathered: unknown[] = []
    const durations: Record<string, number> = {}
    const finish = (status: string, error: string | null) => {
      const outputs = truncateValue({ output: gathered })
      emit('iteration_completed', {
        ...nodeInfo,
        ...inputsEvent,
        outputs: outputs.value,
        outputs_truncated: outputs.truncated,
        status,
        error,
        elapsed_time: (services.clock() - began) / 1000,
        total_tokens: this.#counters.tokens - before.tokens,
        execution_metadata: { total_tokens: this.#counters.tokens - before.tokens, iteration_duration_map: durations },
        finished_at: this.#now(),
        steps: this.#counters.steps - before.steps,
      })
    }
    try {
      if (!Array.isArray(items)) throw new NodeError(`${node.iterator_selector.join('.')} is no list.`)
      for (const [index, item] of items.entries()) {
        const roundBegan = services.clock()
        emit('iteration_next', { ...nodeInfo, created_at: this.#now(), index })
        const inside = new Map([...values, [node.id, { item, index }]])
        const round = await this.#runGraph(node.graph, inside, { iteration_id: node.id, index })
        gathered.push(resolveSelector(round.values, node.output_selector))
        durations[index] = (services.clock() - roundBegan) / 1000
      }
      finish('succeeded', null)
      return { inputs: inputsEvent.inputs, outputs: { output: gathered } }
    } catch (error) {
      throw this.#toRunError(node, error, (reason) => finish(signal.aborted ? 'stopped' : 'failed', reason))
    }
  }

  /** Reports a failure and sets it as the run's error, with the node that caused it. */
  #toRunError(node: WorkflowNode, error: unknown, reportFailure: (reason: string) => void): WorkflowRunError {
    if (error instanceof WorkflowRunError) {
      reportFailure(error.message)
      return error
    }
    const reason = this.#reasonOf(error)
    reportFailure(reason)
    return new WorkflowRunError(this.#order.signal.aborted ? reason : `${node.title}: ${reason}`)
  }

  #reasonOf(error: unknown): string {
    const { signal } = this.#order
    if (signal.aborted) return signal.reason instanceof Error ? signal.reason.message : 'The run was stopped.'
    if (error instanceof WorkflowRunError || error instanceof NodeError || error instanceof ModelError)
      return error.message
    if (error instanceof PlatformError && error.status < 500) return error.message
    this.#order.onError(error)
    return 'Internal server error. See the server log.'
  }
}

class WorkflowRunError extends Error {
  override readonly name = 'RunFailure'
}

/** Not an error: leaves the graph at a node that waits for a person. */
class PauseSignal extends Error {
  override readonly name = 'PauseSignal'
  readonly pause: WorkflowPause
  constructor(pause: WorkflowPause) {
    super('The run waits for an answer to its form.')
    this.pause = pause
  }
}

/**
 * The nodes whose text is sent while they write it, each with the node that outputs it: an end that outputs it
 * unchanged, or the answer that begins with it.
 */
function findStreamedNodes({ nodes, edges }: WorkflowGraph): ReadonlyMap<string, string> {
  const streamed = new Map<string, string>()
  for (const node of nodes) {
    if (node.type === 'end')
      for (const { value_selector } of node.outputs)
        if (value_selector[1] === 'text') streamed.set(value_selector[0] ?? '', node.id)
    const leading = node.type === 'answer' ? findLeadingText(node) : null
    const [only, ...others] = edges.filter(({ from }) => from === leading)
    if (leading !== null && only?.to === node.id && others.length === 0) streamed.set(leading, node.id)
  }
  const writers = new Set(nodes.filter(({ type }) => type === 'llm').map(({ id }) => id))
  return new Map([...streamed].filter(([id]) => writers.has(id)))
}

const toUsageMetadata = (usage: NodeOutcome['usage']) =>
  usage && { total_tokens: usage.total_tokens, total_price: usage.total_price, currency: usage.currency }

/** The values of the platform as graphs read them: `sys.user_id` is `user_id` of `sys`. */
const withoutPrefix = (system: Record<string, unknown>): [string, unknown][] =>
  Object.entries(system).map(([name, value]) => [name.replace(/^sys\./, ''), value])

function resolveSelector(values: NodeOutputs, [id = '', ...names]: ValueSelector): unknown {
  let value: unknown = values.get(id)
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
