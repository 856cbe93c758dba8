import { seconds } from '../context.ts'
import { PlatformError } from '../errors.ts'
import { ModelFailure } from '../model/model.ts'
import type { Graph, Node, NodeOf, Selector, Workflow } from './graph.ts'
import { execute } from './nodes.ts'
import { NodeFailure, type Outcome, type Scope, type Services } from './scope.ts'
import { shorten } from './shorten.ts'
import { orderOf } from './validate.ts'

export interface RunOrder {
  workflow: Workflow
  /** The checked values of the form, and beside them those that the platform gives (`sys.user_id` and others). */
  inputs: Record<string, unknown>
  system: Record<string, unknown>
  services: Services
  signal: AbortSignal
  /** Takes the events of "4.4" of the upstream facts as they happen. */
  emit: (event: string, data: Record<string, unknown>) => void
  /** Hears of errors that are nobody's input. */
  onFault: (error: unknown) => void
}

export interface RunEnd {
  status: 'succeeded' | 'failed' | 'stopped'
  outputs: Record<string, unknown> | null
  error: string | null
  total_steps: number
  total_tokens: number
}

/** Outputs by node. */
type Values = ReadonlyMap<string, Record<string, unknown>>
/** The round of an iteration in which a node runs. */
type Round = { iteration_id: string; index: number } | null

/** Upstream's longest run. */
const MOST_STEPS = 500

/** Runs a graph step by step. What goes wrong stands in the result. */
export async function runWorkflow(order: RunOrder): Promise<RunEnd> {
  const { workflow, services, signal, emit } = order
  const tally = { index: 0, steps: 0, tokens: 0 }
  const streamed = streamedNodes(workflow.graph)
  const now = () => seconds(services.clock())
  const end = (rest: Pick<RunEnd, 'status' | 'outputs' | 'error'>): RunEnd => ({
    ...rest,
    total_steps: tally.steps,
    total_tokens: tally.tokens,
  })
  try {
    const { ended } = await walk(workflow.graph, new Map(), null)
    return end({ status: 'succeeded', outputs: ended, error: null })
  } catch (error) {
    const status = signal.aborted ? 'stopped' : 'failed'
    return end({ status, outputs: null, error: reasonOf(error) })
  }

  /** Visits the nodes that the edges lead to, one after the other. */
  async function walk(graph: Graph, outside: Values, round: Round) {
    const values = new Map(outside)
    const ended: Record<string, unknown> = {}
    const cameFrom = new Map<string, string>()
    for (const [place, node] of orderOf(graph).entries()) {
      const predecessor = cameFrom.get(node.id) ?? null
      if (place > 0 && predecessor === null) continue
      signal.throwIfAborted()
      if (++tally.steps > MOST_STEPS) throw new NodeFailure(`The run takes more than ${MOST_STEPS} steps.`)
      const { outputs, way } =
        node.type === 'iteration' ? await iterate(node, values) : await visit(node, values, predecessor, round)
      values.set(node.id, outputs)
      if (node.type === 'end') Object.assign(ended, outputs)
      for (const edge of graph.edges) if (edge.from === node.id && edge.when === way) cameFrom.set(edge.to, node.id)
    }
    return { values, ended }
  }

  async function visit(
    node: Exclude<Node, NodeOf<'iteration'>>,
    values: Values,
    predecessor: string | null,
    round: Round,
  ) {
    const began = services.clock()
    const about = {
      id: crypto.randomUUID(),
      node_id: node.id,
      node_type: node.type,
      title: node.title,
      index: ++tally.index,
      predecessor_node_id: predecessor,
      created_at: now(),
      iteration_id: round?.iteration_id ?? null,
      loop_id: null,
    }
    emit('node_started', { ...about, inputs: null, inputs_truncated: false, extras: {}, agent_strategy: null })
    const finish = (
      status: string,
      { inputs, process_data, outputs, usage }: Partial<Outcome>,
      error: string | null,
    ) => {
      const [given, process, gave] = [shorten(inputs ?? null), shorten(process_data ?? null), shorten(outputs ?? null)]
      emit('node_finished', {
        ...about,
        inputs: given.value,
        inputs_truncated: given.truncated,
        process_data: process.value,
        process_data_truncated: process.truncated,
        outputs: gave.value,
        outputs_truncated: gave.truncated,
        status,
        error,
        elapsed_time: (services.clock() - began) / 1000,
        execution_metadata: {
          ...usage,
          ...(round ? { iteration_id: round.iteration_id, iteration_index: round.index } : {}),
        },
        finished_at: now(),
        files: [],
      })
    }
    try {
      const outcome = node.type === 'start' ? begin() : await execute(node, scopeOf(node, values))
      tally.tokens += outcome.usage?.total_tokens ?? 0
      finish('succeeded', outcome, null)
      return outcome
    } catch (error) {
      throw fail(node, error, (reason) => finish(signal.aborted ? 'stopped' : 'failed', {}, reason))
    }
  }

  function begin(): Outcome {
    const all = { ...order.inputs, ...order.system }
    return { inputs: all, outputs: all }
  }

  function scopeOf(node: Node, values: Values): Scope {
    return {
      services,
      signal,
      read: (selector) => readValue(values, selector),
      onText: streamed.has(node.id)
        ? (text) => emit('text_chunk', { text, from_variable_selector: [node.id, 'text'] })
        : undefined,
    }
  }

  /** Iterations have events of their own in place of those of a node. */
  async function iterate(node: NodeOf<'iteration'>, values: Values): Promise<Outcome> {
    const began = services.clock()
    const before = { tokens: tally.tokens, steps: tally.steps }
    const about = {
      id: crypto.randomUUID(),
      node_id: node.id,
      node_type: node.type,
      title: node.title,
      created_at: now(),
      extras: {},
    }
    tally.index++
    const items = readValue(values, node.iterator_selector)
    const inputs = shorten({ iterator_selector: items })
    const given = { inputs: inputs.value, inputs_truncated: inputs.truncated }
    emit('iteration_started', {
      ...about,
      ...given,
      metadata: { iterator_length: Array.isArray(items) ? items.length : 0 },
    })
    const gathered: unknown[] = []
    const durations: Record<string, number> = {}
    const finish = (status: string, error: string | null) => {
      const outputs = shorten({ output: gathered })
      emit('iteration_completed', {
        ...about,
        ...given,
        outputs: outputs.value,
        outputs_truncated: outputs.truncated,
        status,
        error,
        elapsed_time: (services.clock() - began) / 1000,
        total_tokens: tally.tokens - before.tokens,
        execution_metadata: { total_tokens: tally.tokens - before.tokens, iteration_duration_map: durations },
        finished_at: now(),
        steps: tally.steps - before.steps,
      })
    }
    try {
      if (!Array.isArray(items)) throw new NodeFailure(`${node.iterator_selector.join('.')} is no list.`)
      for (const [index, item] of items.entries()) {
        const roundBegan = services.clock()
        emit('iteration_next', { ...about, created_at: now(), index })
        const inside = new Map([...values, [node.id, { item, index }]])
        const round = await walk(node.graph, inside, { iteration_id: node.id, index })
        gathered.push(readValue(round.values, node.output_selector))
        durations[index] = (services.clock() - roundBegan) / 1000
      }
      finish('succeeded', null)
      return { inputs: given.inputs, outputs: { output: gathered } }
    } catch (error) {
      throw fail(node, error, (reason) => finish(signal.aborted ? 'stopped' : 'failed', reason))
    }
  }

  /** Tells of a failure and makes it the run's, with the node that it began in. */
  function fail(node: Node, error: unknown, tell: (reason: string) => void): RunFailure {
    if (error instanceof RunFailure) {
      tell(error.message)
      return error
    }
    const reason = reasonOf(error)
    tell(reason)
    return new RunFailure(signal.aborted ? reason : `${node.title}: ${reason}`)
  }

  function reasonOf(error: unknown): string {
    if (signal.aborted) return signal.reason instanceof Error ? signal.reason.message : 'The run was stopped.'
    if (error instanceof RunFailure || error instanceof NodeFailure || error instanceof ModelFailure)
      return error.message
    if (error instanceof PlatformError && error.status < 500) return error.message
    order.onFault(error)
    return 'The server met an error that is not yours. Its log has the reason.'
  }
}

class RunFailure extends Error {
  override readonly name = 'RunFailure'
}

/** The texts that an end gives out as they are: they are streamed while they are written. */
function streamedNodes({ nodes }: Graph): ReadonlySet<string> {
  const named = nodes
    .flatMap((node) => (node.type === 'end' ? node.outputs : []))
    .map(({ value_selector }) => value_selector)
  const given = new Set(named.filter(([, output]) => output === 'text').map(([id]) => id))
  return new Set(nodes.filter(({ id, type }) => type === 'llm' && given.has(id)).map(({ id }) => id))
}

function readValue(values: Values, [id = '', ...names]: Selector): unknown {
  let value: unknown = values.get(id)
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
