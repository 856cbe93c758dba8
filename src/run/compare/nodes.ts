import type { RunNode, RunState } from '#contract/run.ts'

/** What became of a node between two runs. `failed`: it failed and had not before; `mended`: the other way round. */
export type NodeChangeKind = 'failed' | 'gone' | 'added' | 'mended' | 'slower' | 'faster' | 'changed' | 'same'

export interface NodeChange {
  key: string
  kind: NodeChangeKind
  before: RunNode | null
  after: RunNode | null
  /** Seconds more than before, null where one of them did not say. */
  change: number | null
}

/** A node is slower or faster when it is so by a quarter and by this many seconds: below that a run differs from itself. */
const SHARE = 0.25
const LEAST = 0.05
const BAD = ['failed', 'exception']

/** The nodes of a run beside those of an earlier one, in the order of the later run, what is gone behind it. */
export function compareNodes(before: RunState, after: RunState): NodeChange[] {
  const left = keyed(before)
  const right = keyed(after)
  const now = [...right].map(([key, node]) => changeOf(key, left.get(key) ?? null, node))
  const gone = [...left].filter(([key]) => !right.has(key)).map(([key, node]) => changeOf(key, node, null))
  return [...now, ...gone]
}

/** The execution in an earlier run that is the same as this one: the same node, in the same round, as often run before. */
export function counterpartOf(node: RunNode, run: RunState, before: RunState): RunNode | null {
  const key = [...keyed(run)].find(([, one]) => one.id === node.id)?.[0]
  return key === undefined ? null : (keyed(before).get(key) ?? null)
}

function keyed({ nodes }: RunState): Map<string, RunNode> {
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

function changeOf(key: string, before: RunNode | null, after: RunNode | null): NodeChange {
  const [was, is] = [before?.elapsed_time ?? null, after?.elapsed_time ?? null]
  const change = was === null || is === null ? null : is - was
  return { key, kind: kindOf(before, after, change), before, after, change }
}

function kindOf(before: RunNode | null, after: RunNode | null, change: number | null): NodeChangeKind {
  const [was, is] = [isBad(before), isBad(after)]
  if (is && !was) return 'failed'
  if (!before) return 'added'
  if (!after) return 'gone'
  if (was && !is) return 'mended'
  if (before.status !== after.status) return 'changed'
  const much = Math.max(LEAST, SHARE * (before.elapsed_time ?? 0))
  if (change !== null && Math.abs(change) >= much) return change > 0 ? 'slower' : 'faster'
  return 'same'
}

const isBad = (node: RunNode | null): boolean => node !== null && BAD.includes(node.status)
