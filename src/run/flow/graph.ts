import type { RunNode, RunState } from '#contract/run.ts'

/** A node of a workflow as a run showed it: all its executions in one place. */
export interface SeenNode {
  /** Its `node_id`, in what holds it; the execution's own id where the platform gave none. */
  key: string
  /** The key of the iteration or loop that holds it. */
  within: string | null
  kind: RunNode['kind']
  /** The execution that is opened: the last that went wrong, else the last. */
  node: RunNode
  /** How often it ran, and the executions that are to be told of as one: its state is the worst of them. */
  times: number
  state: string
}

/** That one node came after another. `isTold`: the platform named the predecessor; else only the order in which they began is known. */
export interface SeenEdge {
  from: string
  to: string
  isTold: boolean
}

export interface SeenGraph {
  nodes: SeenNode[]
  edges: SeenEdge[]
  /** Nodes that are too many to be drawn. */
  beyond: number
}

/** More nodes than this are no picture any more. */
const MOST = 300

/** What a run showed of its workflow: no more than what was seen, and of each edge whether it was told or only follows from the order. */
export function graphOf(run: RunState): SeenGraph {
  const holders = new Map<string, string>()
  const seen = new Map<string, SeenNode>()
  const edges = new Map<string, SeenEdge>()
  /** The node that began last in a scope and round. */
  const last = new Map<string, string>()
  let beyond = 0
  for (const node of run.nodes) {
    const within = node.parent === null ? null : (holders.get(node.parent) ?? null)
    const key = keyIn(within, node.node_id ?? node.id)
    if (node.kind !== 'node' && node.node_id !== null) holders.set(node.node_id, key)
    const before = seen.get(key)
    if (!before && seen.size >= MOST) {
      beyond++
      continue
    }
    seen.set(key, before ? joined(before, node, run) : first(key, within, node, run))
    const scope = keyIn(within, String(node.round))
    connect(node, key, within, last.get(scope))
    last.set(scope, key)
  }
  return { nodes: [...seen.values()], edges: [...edges.values()], beyond }

  function connect(node: RunNode, key: string, within: string | null, previous: string | undefined): void {
    const told = node.predecessor_node_id
    const named = told === null ? null : keyIn(within, told)
    // A predecessor that was not seen (the hidden start of a round) is the beginning of what holds the node.
    const from = named === null ? previous : seen.has(named) ? named : undefined
    if (from === undefined || from === key) return
    const id = keyIn(from, key)
    const isTold = named !== null
    if (!edges.has(id) || isTold) edges.set(id, { from, to: key, isTold })
  }
}

/** Linear in its depth, whatever nests in whatever. */
const keyIn = (within: string | null, id: string): string => `${within ?? ''}\u001f${id}`

const first = (key: string, within: string | null, node: RunNode, run: RunState): SeenNode => ({
  key,
  within,
  kind: node.kind,
  node,
  times: 1,
  state: stateOf(node, run),
})

function joined(before: SeenNode, node: RunNode, run: RunState): SeenNode {
  const state = stateOf(node, run)
  const isWorse = rankOf(state) >= rankOf(before.state)
  return {
    ...before,
    times: before.times + 1,
    node: isWorse ? node : before.node,
    state: isWorse ? state : before.state,
  }
}

/** From what is well to what one wants to see first. */
const RANKS = ['succeeded', 'stopped', 'paused', 'running', 'interrupted', 'exception', 'failed']
const rankOf = (state: string): number => RANKS.indexOf(state)

const stateOf = ({ status }: RunNode, run: RunState): string =>
  status === 'running' && run.ended ? (run.paused ? 'paused' : 'interrupted') : status
