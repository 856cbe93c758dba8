import { Graph, layout } from '@dagrejs/dagre'
import { getNodeState } from '#domain/workflowRun/runEnd.ts'
import type { RunNode, RunState } from '#domain/workflowRun/runState.ts'

/** A workflow node as observed in a run, with all its executions. */
export interface ObservedNode {
  /** Its `node_id` within its container; the execution id if the platform gave none. */
  key: string
  /** The key of its iteration or loop. */
  parentKey: string | null
  kind: RunNode['kind']
  /** The execution to open: the last failed one, else the last. */
  node: RunNode
  /** The number of executions, and those to summarize: the state is the worst of them. */
  executionCount: number
  state: string
}

/**
 * An edge between two nodes. `isExplicit`: the platform named the predecessor; otherwise it is inferred from the start
 * order.
 */
interface ObservedEdge {
  from: string
  to: string
  isExplicit: boolean
}

export interface ObservedGraph {
  nodes: ObservedNode[]
  edges: ObservedEdge[]
  /** Nodes above the limit, not shown. */
  hiddenNodeCount: number
}

/** A larger graph is unreadable. */
const MAX_GRAPH_NODES = 300

/** The observed part of a workflow. Each edge is either reported by the platform or inferred from the order. */
export function buildObservedGraph(run: RunState): ObservedGraph {
  const holders = new Map<string, string>()
  const nodesByKey = new Map<string, ObservedNode>()
  const edges = new Map<string, ObservedEdge>()
  /** The last started node in a scope and round. */
  const last = new Map<string, string>()
  let hiddenNodeCount = 0
  for (const node of run.nodes) {
    const within = node.parent === null ? null : (holders.get(node.parent) ?? null)
    const key = toScopedKey(within, node.node_id ?? node.id)
    if (node.kind !== 'node' && node.node_id !== null) holders.set(node.node_id, key)
    const before = nodesByKey.get(key)
    if (!before && nodesByKey.size >= MAX_GRAPH_NODES) {
      hiddenNodeCount++
      continue
    }
    nodesByKey.set(key, before ? mergeExecution(before, node, run) : toObservedNode(key, within, node, run))
    const scope = toScopedKey(within, String(node.round))
    connect(node, key, within, last.get(scope))
    last.set(scope, key)
  }
  return { nodes: [...nodesByKey.values()], edges: [...edges.values()], hiddenNodeCount }

  function connect(node: RunNode, key: string, within: string | null, previous: string | undefined): void {
    const predecessorId = node.predecessor_node_id
    const predecessorKey = predecessorId === null ? null : toScopedKey(within, predecessorId)
    // An unknown predecessor (the hidden start of a round, an internal id of the platform) says nothing: then the
    // start order is used, as without a predecessor.
    const isExplicit = predecessorKey !== null && nodesByKey.has(predecessorKey)
    const from = isExplicit ? predecessorKey : previous
    if (from === undefined || from === key) return
    const id = toScopedKey(from, key)
    if (!edges.has(id) || isExplicit) edges.set(id, { from, to: key, isExplicit })
  }
}

/** Linear in its depth, for any nesting. */
const toScopedKey = (within: string | null, id: string): string => `${within ?? ''}\u001f${id}`

const toObservedNode = (key: string, within: string | null, node: RunNode, run: RunState): ObservedNode => ({
  key,
  parentKey: within,
  kind: node.kind,
  node,
  executionCount: 1,
  state: getNodeState(node, run),
})

function mergeExecution(before: ObservedNode, node: RunNode, run: RunState): ObservedNode {
  const state = getNodeState(node, run)
  const isWorse = getSeverity(state) >= getSeverity(before.state)
  return {
    ...before,
    executionCount: before.executionCount + 1,
    node: isWorse ? node : before.node,
    state: isWorse ? state : before.state,
  }
}

/** From normal to most severe. */
const STATES_BY_SEVERITY = [
  'succeeded',
  'unknown',
  'stopped',
  'paused',
  'running',
  'interrupted',
  'exception',
  'failed',
]
const getSeverity = (state: string): number => STATES_BY_SEVERITY.indexOf(state)

/** The part of a graph that determines its layout. */
export interface GraphTopology {
  nodes: Pick<ObservedNode, 'key' | 'parentKey' | 'kind'>[]
  edges: ObservedEdge[]
}

/** Position of a node (px); children are relative to the upper left corner of their parent. */
export interface NodePosition {
  x: number
  y: number
  width: number
  height: number
}

export const NODE_SIZE_PX = { width: 208, height: 58 }
/** Height of the header of a container node. */
const HEADER_HEIGHT_PX = 34
const PADDING_PX = 14

/** Lays out a graph from left to right. The children of an iteration or loop are laid out within it. */
export function layOutGraph(graph: GraphTopology): Map<string, NodePosition> {
  const positions = new Map<string, NodePosition>()
  layOutScope(null)
  return positions

  function layOutScope(within: string | null): { width: number; height: number } {
    const scopeNodes = graph.nodes.filter((node) => node.parentKey === within)
    const keys = new Set(scopeNodes.map(({ key }) => key))
    const dagreGraph = new Graph<{ width: number; height: number; x: number; y: number }>()
    dagreGraph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 44, marginx: 0, marginy: 0 })
    dagreGraph.setDefaultEdgeLabel(() => ({}))
    for (const { key, kind } of scopeNodes) {
      const holds = kind !== 'node' && graph.nodes.some((node) => node.parentKey === key)
      const inside = holds ? layOutScope(key) : null
      const size = inside
        ? {
            width: Math.max(NODE_SIZE_PX.width, inside.width + 2 * PADDING_PX),
            height: inside.height + HEADER_HEIGHT_PX + PADDING_PX,
          }
        : NODE_SIZE_PX
      dagreGraph.setNode(key, { ...size, x: 0, y: 0 })
    }
    for (const { from, to } of graph.edges) if (keys.has(from) && keys.has(to)) dagreGraph.setEdge(from, to)
    layout(dagreGraph)
    const [left, top] = within === null ? [0, 0] : [PADDING_PX, HEADER_HEIGHT_PX]
    let [width, height] = [0, 0]
    for (const { key } of scopeNodes) {
      const { x, y, ...size } = dagreGraph.node(key)
      positions.set(key, { x: left + x - size.width / 2, y: top + y - size.height / 2, ...size })
      width = Math.max(width, x + size.width / 2)
      height = Math.max(height, y + size.height / 2)
    }
    return { width, height }
  }
}
