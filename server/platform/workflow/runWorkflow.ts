import { toUnixSeconds } from '../platformContext.ts'
import { PlatformError } from '../platformErrors.ts'
import { ModelError } from '../model/model.ts'
import type { WorkflowGraph, WorkflowNode, WorkflowNodeByType, ValueSelector, Workflow } from './workflowGraph.ts'
import { executeNode } from './executeNode.ts'
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
  /** Receives the events of "4.4" of the upstream facts as they happen. */
  emit: (event: string, data: Record<string, unknown>) => void
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

/** Outputs by node. */
type NodeOutputs = ReadonlyMap<string, Record<string, unknown>>
/** The current round of an iteration. */
type IterationRound = { iteration_id: string; index: number } | null

/** Upstream's maximum duration of a run. */
const MAX_STEPS = 500

/** Runs a graph step by step. Failures are part of the result. */
export async function runWorkflow(order: WorkflowRunOrder): Promise<WorkflowRunEnd> {
  return new WorkflowRunner(order).run()
}

/** One run of a workflow: it counts its steps and tokens, and emits the events of its nodes. */
class WorkflowRunner {
  readonly #order: WorkflowRunOrder
  readonly #counters = { index: 0, steps: 0, tokens: 0 }
  readonly #streamedNodes: ReadonlySet<string>

  constructor(order: WorkflowRunOrder) {
    this.#order = order
    this.#streamedNodes = findStreamedNodes(order.workflow.graph)
  }

  async run(): Promise<WorkflowRunEnd> {
    const { workflow, signal } = this.#order
    try {
      const { ended } = await this.#runGraph(workflow.graph, new Map(), null)
      return this.#toEnd({ status: 'succeeded', outputs: ended, error: null })
    } catch (error) {
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
    const { signal } = this.#order
    const values = new Map(outside)
    const ended: Record<string, unknown> = {}
    const predecessors = new Map<string, string>()
    for (const [place, node] of toTopologicalOrder(graph).entries()) {
      const predecessor = predecessors.get(node.id) ?? null
      if (place > 0 && predecessor === null) continue
      signal.throwIfAborted()
      if (++this.#counters.steps > MAX_STEPS) throw new NodeError(`The run takes more than ${MAX_STEPS} steps.`)
      const { outputs, edgeName } =
        node.type === 'iteration'
          ? await this.#runIteration(node, values)
          : await this.#runNode(node, values, predecessor, round)
      values.set(node.id, outputs)
      if (node.type === 'end') Object.assign(ended, outputs)
      for (const edge of graph.edges)
        if (edge.from === node.id && edge.when === edgeName) predecessors.set(edge.to, node.id)
    }
    return { values, ended }
  }

  async #runNode(
    node: Exclude<WorkflowNode, WorkflowNodeByType<'iteration'>>,
    values: NodeOutputs,
    predecessor: string | null,
    round: IterationRound,
  ) {
    const { services, signal, emit } = this.#order
    const began = services.clock()
    const nodeInfo = {
      id: crypto.randomUUID(),
      node_id: node.id,
      node_type: node.type,
      title: node.title,
      index: ++this.#counters.index,
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
          ...usage,
          ...(round ? { iteration_id: round.iteration_id, iteration_index: round.index } : {}),
        },
        finished_at: this.#now(),
        files: [],
      })
    }
    try {
      const outcome = node.type === 'start' ? this.#begin() : await executeNode(node, this.#scopeOf(node, values))
      this.#counters.tokens += outcome.usage?.total_tokens ?? 0
      finish('succeeded', outcome, null)
      return outcome
    } catch (error) {
      throw this.#toRunError(node, error, (reason) => finish(signal.aborted ? 'stopped' : 'failed', {}, reason))
    }
  }

  #begin(): NodeOutcome {
    const all = { ...this.#order.inputs, ...this.#order.system }
    return { inputs: all, outputs: all }
  }

  #scopeOf(node: WorkflowNode, values: NodeOutputs): NodeScope {
    const { services, signal, emit } = this.#order
    return {
      services,
      signal,
      read: (selector) => resolveSelector(values, selector),
      onText: this.#streamedNodes.has(node.id)
        ? (text) => emit('text_chunk', { text, from_variable_selector: [node.id, 'text'] })
        : undefined,
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

  /** Reports a failure and sets it as the run's error, with the node of its origin. */
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
    return 'The server met an error that is not yours. Its log has the reason.'
  }
}

class WorkflowRunError extends Error {
  override readonly name = 'RunFailure'
}

/** Texts that an end node outputs unchanged: they are streamed during generation. */
function findStreamedNodes({ nodes }: WorkflowGraph): ReadonlySet<string> {
  const endSelectors = nodes
    .flatMap((node) => (node.type === 'end' ? node.outputs : []))
    .map(({ value_selector }) => value_selector)
  const textNodeIds = new Set(endSelectors.filter(([, output]) => output === 'text').map(([id]) => id))
  return new Set(nodes.filter(({ id, type }) => type === 'llm' && textNodeIds.has(id)).map(({ id }) => id))
}

function resolveSelector(values: NodeOutputs, [id = '', ...names]: ValueSelector): unknown {
  let value: unknown = values.get(id)
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
