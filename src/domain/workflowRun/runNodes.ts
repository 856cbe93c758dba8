import { asId, asJson, asList, asMessage, asNumber, asRecord, asText } from '../stream/untrustedJson.ts'

/** One execution of a node, an iteration or a loop. */
export interface RunNode {
  /** The execution id; if the platform sends none, derived from the node id and the number of earlier executions. */
  id: string
  kind: 'node' | 'iteration' | 'loop'
  node_id: string | null
  node_type: string | null
  title: string | null
  index: number | null
  predecessor_node_id: string | null
  /** `running` until finished, then the platform's status. */
  status: string
  inputs: unknown
  process_data: unknown
  outputs: unknown
  error: string | null
  elapsed_time: number | null
  created_at: number | null
  finished_at: number | null
  /** The platform's metadata of the execution; for an iteration or loop also its size as reported at the start. */
  execution_metadata: Record<string, unknown> | null
  files: unknown[]
  /** The `node_id` of the iteration or loop that contains this node, and the round (0-based) in which it ran. */
  parent: string | null
  round: number | null
  /** For an iteration or loop: number of started rounds. */
  rounds: number
  retries: { retry_index: number | null; error: string | null; elapsed_time: number | null }[]
  /** `agent_log` entries, upserted by id, in order of first appearance. */
  logs: AgentLog[]
  /** Set if an event of the node was too large: inputs, outputs and later fields may be incomplete. */
  is_cut?: true
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

type Data = Record<string, unknown>
export interface NodeEventStep {
  kind: RunNode['kind']
  phase: 'started' | 'next' | 'retry' | 'finished'
  isCut: boolean
}

/** Folds an event of a node, iteration or loop into the nodes; null if it does not identify a node. */
export function foldNodeEvent(nodes: RunNode[], step: NodeEventStep, data: Data): RunNode[] | null {
  const id = asId(data.id)
  const node_id = asId(data.node_id) ?? (step.kind === 'node' ? null : id)
  if (id === null && node_id === null) return null
  const at = findNode(nodes, step, id, node_id)
  const before = nodes[at] ?? createNode(nodes, step.kind, id, node_id)
  return replaceNode(nodes, at, advance(mergeNodeFields(before, step, data, nodes), step, data))
}

/**
 * Finds the execution that an event refers to. An execution id is exact. Without one (older platforms put the node id
 * into `id` of iterations and loops), it is the last execution of that node that is still running. A retry may have a
 * different id.
 */
function findNode(nodes: RunNode[], { kind, phase }: NodeEventStep, id: string | null, node_id: string | null): number {
  const exact = id !== null && id !== node_id
  const at = id === null ? -1 : nodes.findLastIndex((node) => node.id === id)
  if (at >= 0 && (exact || nodes[at]?.status === 'running')) return at
  if (exact && kind === 'node' && phase !== 'retry') return -1
  if (exact && phase === 'started') return -1
  return lastRunning(nodes, node_id)
}

const lastRunning = (nodes: RunNode[], node_id: string | null): number =>
  node_id === null ? -1 : nodes.findLastIndex((node) => node.node_id === node_id && node.status === 'running')

const replaceNode = (nodes: RunNode[], at: number, node: RunNode): RunNode[] =>
  at < 0 ? [...nodes, node] : nodes.with(at, node)

function createNode(nodes: RunNode[], kind: RunNode['kind'], id: string | null, node_id: string | null): RunNode {
  return { ...emptyNode, id: makeUniqueId(nodes, id ?? node_id ?? ''), kind, node_id, status: 'running' }
}

/** A node without any data yet. */
export const emptyNode: Omit<RunNode, 'id' | 'kind' | 'node_id' | 'status'> = {
  node_type: null,
  title: null,
  index: null,
  predecessor_node_id: null,
  inputs: null,
  process_data: null,
  outputs: null,
  error: null,
  elapsed_time: null,
  created_at: null,
  finished_at: null,
  execution_metadata: null,
  files: [],
  parent: null,
  round: null,
  rounds: 0,
  retries: [],
  logs: [],
}

function makeUniqueId(nodes: RunNode[], id: string): string {
  const taken = (wanted: string) => nodes.some((node) => node.id === wanted)
  if (!taken(id)) return id
  let times = nodes.filter((node) => node.node_id === id).length + 1
  while (taken(`${id}#${times}`)) times++
  return `${id}#${times}`
}

/** Applies the fields that every node event may have. Missing fields keep their values. */
function mergeNodeFields(node: RunNode, { kind, phase, isCut }: NodeEventStep, data: Data, nodes: RunNode[]): RunNode {
  const metadata = mergeMetadata(node, data)
  const parent =
    asId(data.iteration_id) ?? asId(data.loop_id) ?? asId(metadata?.iteration_id) ?? asId(metadata?.loop_id)
  return {
    ...node,
    kind: kind === 'node' ? node.kind : kind,
    node_id: node.node_id ?? asId(data.node_id),
    node_type: asText(data.node_type) ?? node.node_type,
    title: asText(data.title) ?? node.title,
    // The index of a `next` event counts rounds, not nodes.
    index: (phase === 'next' ? null : asNumber(data.index)) ?? node.index,
    predecessor_node_id: asText(data.predecessor_node_id) ?? node.predecessor_node_id,
    inputs: asJson(data.inputs) ?? node.inputs,
    created_at: node.created_at ?? asNumber(data.created_at),
    execution_metadata: metadata,
    parent: parent ?? node.parent,
    round: readRound(metadata) ?? node.round ?? guessRound(nodes, parent, node.node_id),
    ...(isCut && { is_cut: true }),
  }
}

function mergeMetadata(node: RunNode, data: Data): Data | null {
  const sums = ['total_tokens', 'steps'].filter((name) => asNumber(data[name]) !== null)
  const started = asRecord(asJson(data.metadata))
  const finished = asRecord(asJson(data.execution_metadata))
  if (!started && !finished && sums.length === 0) return node.execution_metadata
  const summed = Object.fromEntries(sums.map((name) => [name, data[name]]))
  return { ...node.execution_metadata, ...summed, ...started, ...finished }
}

const readRound = (metadata: Data | null): number | null =>
  asNumber(metadata?.iteration_index) ?? asNumber(metadata?.loop_index)

/**
 * The round of a starting node, which its end reports. In a sequence it is the current one (some platforms announce
 * only the second and later rounds); of parallel rounds, the first in which no node is running and this node has not
 * run.
 */
function guessRound(nodes: RunNode[], parent: string | null, node_id: string | null): number | null {
  if (parent === null) return null
  const at = nodes.findLastIndex((node) => node.node_id === parent && node.kind !== 'node')
  const holder = nodes[at]
  if (!holder) return null
  const last = Math.max(0, holder.rounds - 1)
  const inside = nodes.slice(at + 1).filter((node) => node.parent === parent)
  if (!areRoundsParallel(holder, inside)) return last
  const isTaken = (node: RunNode) => node.status === 'running' || node.node_id === node_id
  const taken = new Set(inside.filter(isTaken).map(({ round }) => round))
  let round = 0
  while (round < last && taken.has(round)) round++
  return round
}

/** Whether the rounds of an iteration overlap: stated at its start, or visible from its nodes. */
export function areRoundsParallel({ kind, status, rounds, execution_metadata }: RunNode, inside: readonly RunNode[]) {
  const { is_parallel } = execution_metadata ?? {}
  if (kind !== 'iteration' || typeof is_parallel === 'boolean') return is_parallel === true
  const earlier = inside.filter(({ round }) => round !== null && round < rounds - 1)
  const hasEmptyRound = new Set(earlier.map(({ round }) => round)).size < rounds - 1
  return earlier.some((node) => node.status === 'running') || (status === 'running' && hasEmptyRound)
}

function advance(node: RunNode, { phase, isCut }: NodeEventStep, data: Data): RunNode {
  switch (phase) {
    case 'started':
      return node.status === 'paused' ? { ...node, status: 'running' } : node
    case 'next':
      return { ...node, rounds: Math.max(node.rounds, countRounds(node, data.index)) }
    case 'retry':
      return { ...node, retries: [...node.retries, toRetry(data)] }
    case 'finished':
      return finishNode(node, data, isCut)
  }
}

const countRounds = (node: RunNode, index: unknown): number =>
  Number.isSafeInteger(index) && (index as number) >= 0 ? (index as number) + 1 : node.rounds + 1

const toRetry = (data: Data): RunNode['retries'][number] => ({
  retry_index: asNumber(data.retry_index),
  error: asMessage(data.error),
  elapsed_time: asNumber(data.elapsed_time),
})

function finishNode(node: RunNode, data: Data, isCut: boolean): RunNode {
  const error = asMessage(data.error)
  const files = asList(data.files)
  return {
    ...node,
    status: asId(data.status) ?? (error !== null ? 'failed' : isCut ? 'unknown' : 'succeeded'),
    process_data: asJson(data.process_data) ?? node.process_data,
    outputs: asJson(data.outputs) ?? node.outputs,
    error: error ?? node.error,
    elapsed_time: asNumber(data.elapsed_time) ?? node.elapsed_time,
    finished_at: asNumber(data.finished_at) ?? node.finished_at,
    files: files.length > 0 ? files : node.files,
  }
}

export function foldAgentLog(nodes: RunNode[], data: Data): RunNode[] | null {
  const execution = asId(data.node_execution_id)
  const node_id = asId(data.node_id)
  if (execution === null && node_id === null) return null
  const exact = execution === null ? -1 : nodes.findLastIndex((node) => node.id === execution)
  const at = exact >= 0 ? exact : lastRunning(nodes, node_id)
  const node = nodes[at] ?? createNode(nodes, 'node', execution, node_id)
  return replaceNode(nodes, at, { ...node, logs: upsertLog(node.logs, data) })
}

function upsertLog(logs: AgentLog[], data: Data): AgentLog[] {
  const id = asId(data.id) ?? `#${logs.length + 1}`
  const at = logs.findIndex((log) => log.id === id)
  const before = logs[at]
  const log: AgentLog = {
    id,
    parent_id: asText(data.parent_id) ?? before?.parent_id ?? null,
    label: asText(data.label) ?? before?.label ?? null,
    status: asText(data.status) ?? before?.status ?? null,
    error: asMessage(data.error) ?? before?.error ?? null,
    data: asJson(data.data) ?? before?.data ?? null,
    metadata: asJson(data.metadata) ?? before?.metadata ?? null,
  }
  return at < 0 ? [...logs, log] : logs.with(at, log)
}
