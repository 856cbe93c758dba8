import type { RunNode, RunState } from '#domain/workflowRun/runState.ts'

/** How a node changed between two runs. `failed`: it failed and had not before; `mended`: the reverse. */
type NodeChangeKind = 'failed' | 'gone' | 'added' | 'mended' | 'slower' | 'faster' | 'changed' | 'same'

export interface NodeChange {
  key: string
  kind: NodeChangeKind
  before: RunNode | null
  after: RunNode | null
  /** Change in seconds, null if one of them is unknown. */
  change: number | null
}

/** A node counts as slower or faster only above this share and this many seconds: smaller changes are noise. */
const MIN_CHANGE_SHARE = 0.25
const MIN_CHANGE_SECONDS = 0.05
const FAILED_STATUSES = ['failed', 'exception']

/** Compares the nodes of a run with those of an earlier one, in the order of the later run, removed nodes last. */
export function compareNodes(before: RunState, after: RunState): NodeChange[] {
  const left = indexNodes(before)
  const right = indexNodes(after)
  const now = [...right].map(([key, node]) => toNodeChange(key, left.get(key) ?? null, node))
  const gone = [...left].filter(([key]) => !right.has(key)).map(([key, node]) => toNodeChange(key, node, null))
  return [...now, ...gone]
}

/** The matching execution in an earlier run: the same node, in the same round, with the same repetition index. */
export function findCounterpart(node: RunNode, run: RunState, before: RunState): RunNode | null {
  const key = [...indexNodes(run)].find(([, one]) => one.id === node.id)?.[0]
  return key === undefined ? null : (indexNodes(before).get(key) ?? null)
}

function indexNodes({ nodes }: RunState): Map<string, RunNode> {
  const times = new Map<string, number>()
  return new Map(
    nodes.map((node) => {
      const name = JSON.stringify([node.parent, node.round, node.node_id ?? node.title])
      const time = times.get(name) ?? 0
      times.set(name, time + 1)
      return [`${name}#${time}`, node]
    }),
  )
}

function toNodeChange(key: string, before: RunNode | null, after: RunNode | null): NodeChange {
  const [was, is] = [before?.elapsed_time ?? null, after?.elapsed_time ?? null]
  const change = was === null || is === null ? null : is - was
  return { key, kind: getChangeKind(before, after, change), before, after, change }
}

function getChangeKind(before: RunNode | null, after: RunNode | null, change: number | null): NodeChangeKind {
  const [was, is] = [hasFailed(before), hasFailed(after)]
  if (is && !was) return 'failed'
  if (!before) return 'added'
  if (!after) return 'gone'
  if (was && !is) return 'mended'
  if (before.status !== after.status) return 'changed'
  const much = Math.max(MIN_CHANGE_SECONDS, MIN_CHANGE_SHARE * (before.elapsed_time ?? 0))
  if (change !== null && Math.abs(change) >= much) return change > 0 ? 'slower' : 'faster'
  return 'same'
}

const hasFailed = (node: RunNode | null): boolean => node !== null && FAILED_STATUSES.includes(node.status)
