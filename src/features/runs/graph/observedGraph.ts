import type { RunNode, RunState } from '#domain/workflowRun/runState.ts'

/** A node of a workflow as a run showed it: all its executions in one place. */
export interface ObservedNode {
  /** Its `node_id`, in what holds it; the execution's own id where the platform gave none. */
  key: string
  /** The key of the iteration or loop that holds it. */
  parentKey: string | null
  kind: RunNode['kind']
  /** The execution that is opened: the last that went wrong, else the last. */
  node: RunNode
  /** How often it ran, and the executions that are to be told of as one: its state is the worst of them. */
  executionCount: number
  state: string
}

/** That one node came after another. `isTold`: the platform named the predecessor; else only the order in which they began is known. */
export interface ObservedEdge {
  from: string
  to: string
  isExplicit: boolean
}

export interface ObservedGraph {
  nodes: ObservedNode[]
  edges: ObservedEdge[]
  /** Nodes that are too many to be drawn. */
  hiddenNodeCount: number
}

/** More nodes than this are no picture any more. */
const MAX_GRAPH_NODES = 300

/** What a run showed of its workflow: no more than what was seen, and of each edge whether it was told or only follows from the order. */
export function buildObservedGraph(run: RunState): ObservedGraph {
  const holders = new Map<string, string>()
  const nodesByKey = new Map<string, ObservedNode>()
  const edges = new Map<string, ObservedEdge>()
  /** The node that began last in a scope and round. */
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
    // A predecessor that was not seen (the hidden start of a round) is the beginning of what holds the node.
    const from = predecessorKey === null ? previous : nodesByKey.has(predecessorKey) ? predecessorKey : undefined
    if (from === undefined || from === key) return
    const id = toScopedKey(from, key)
    const isExplicit = predecessorKey !== null
    if (!edges.has(id) || isExplicit) edges.set(id, { from, to: key, isExplicit })
  }
}

/** Linear in its depth, whatever nests in whatever. */
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

/** From what is well to what one wants to see first. */
const STATES_BY_SEVERITY = ['succeeded', 'stopped', 'paused', 'running', 'interrupted', 'exception', 'failed']
const getSeverity = (state: string): number => STATES_BY_SEVERITY.indexOf(state)

const getNodeState = ({ status }: RunNode, run: RunState): string =>
  status === 'running' && run.ended ? (run.paused ? 'paused' : 'interrupted') : status
