import { areRoundsParallel, emptyNode } from '#domain/workflowRun/runNodes.ts'
import { getNodeState, getRunSeconds } from '#domain/workflowRun/runEnd.ts'
import type { RunNode, RunState } from '#domain/workflowRun/runState.ts'
import type { KnownNode } from '#contract/console/runInsights.ts'

/** One line of a timeline: a node, an iteration or loop, or one of its rounds. Times are seconds since the run began. */
export interface TimelineSpan {
  /** The node's id; of a round the id of what holds it, `:` and the round. */
  key: string
  /** `unreached`: earlier runs had it, the stream of this one did not show it. */
  kind: 'node' | 'holder' | 'round' | 'unreached'
  /** Of a round: the iteration or loop that it belongs to. */
  node: RunNode
  round: number | null
  depth: number
  start: number
  end: number
  /** The platform's word; for what ran when the stream ended, what is known of it (`getNodeState`). */
  state: string
  /** When tries ended that were followed by another. */
  ticks: number[]
  /** The keys of all that hold it, the nearest first. */
  within: readonly string[]
}

export interface TimelineData {
  spans: TimelineSpan[]
  /** Seconds from the beginning of the run to the end of its last node, or to its own end. */
  length: number
  /** Whether the times of the nodes add up to that of the run; if not, they overlap in an unknown way, or not all are known. */
  isAdditive: boolean
}

type TimeWindow = Pick<TimelineSpan, 'start' | 'end'>

/** Share by which the sum of the nodes' times may exceed that of the run: each time is measured separately. */
const SUM_TOLERANCE = 0.05

/**
 * The nodes of a run on one time axis, each after its container. The platform reports start times in whole seconds
 * and exact durations, so the known order fills in: a node begins where its predecessor ended, unless its
 * `created_at` says otherwise or the times add up to more than the run lasted. `until` is the age of the run, or its
 * duration: a node without an end lasts until then.
 */
export function buildTimeline(run: RunState, until: number): TimelineData {
  const origin = run.created_at ?? run.nodes.find(({ created_at }) => created_at !== null)?.created_at ?? null
  const nodesByHolder = groupByHolder(run.nodes)
  const lasted = run.elapsed_time === null ? null : (getRunSeconds(run) ?? 0)
  const runEnd = run.ended ? Math.max(until, lasted ?? 0) : until
  const sum = (nodesByHolder.get(null) ?? []).reduce((total, node) => total + (node.elapsed_time ?? 0), 0)
  const overlaps = run.ended && lasted !== null && sum > lasted * (1 + SUM_TOLERANCE)
  const getSpanState = (node: RunNode) => getNodeState(node, run)
  const spans = place(nodesByHolder.get(null) ?? [], 0, 0, [])
  const last = spans.reduce((latest, { end }) => Math.max(latest, end), 0)
  const length = Math.max(last, lasted ?? 0, run.ended ? 0 : until)
  return { spans, length, isAdditive: !overlaps && !run.told }

  /** Nodes of one scope, in the order in which they began; `base` is when the scope did. */
  function place(nodes: readonly RunNode[], base: number, depth: number, within: readonly string[]): TimelineSpan[] {
    const ends = new Map<string, TimeWindow>()
    const placed: TimelineSpan[] = []
    let before: TimeWindow | null = null
    for (const node of nodes) {
      const known: TimeWindow | undefined = ends.get(node.predecessor_node_id ?? '')
      const anchor: number = known?.end ?? before?.end ?? base
      const start = Math.max(base, depth === 0 ? limitStart(node, getStart(node, anchor)) : getStart(node, anchor))
      const ownWindow: TimeWindow = { start, end: getEnd(node, start) }
      const inside = node.kind === 'node' ? [] : rounds(node, ownWindow, depth + 1, [node.id, ...within])
      const end = inside.reduce((latest, span) => Math.max(latest, span.end), ownWindow.end)
      const kind = node.kind === 'node' ? 'node' : 'holder'
      const ticks = listRetryTimes(node, { start, end })
      placed.push({
        key: node.id,
        kind,
        node,
        round: null,
        depth,
        start,
        end,
        state: getSpanState(node),
        ticks,
        within,
      })
      for (const span of inside) placed.push(span)
      if (node.node_id !== null) ends.set(node.node_id, { start, end })
      before = { start, end }
    }
    return placed
  }

  function getStart(node: RunNode, anchor: number): number {
    if (node.created_at === null || origin === null) return anchor
    const reportedStart = node.created_at - origin
    const isExact = !(Number.isInteger(node.created_at) && Number.isInteger(origin))
    return !isExact && Math.abs(anchor - reportedStart) < 1 ? anchor : Math.max(0, reportedStart)
  }

  /** Where nodes overlap, none ends after the run. */
  function limitStart({ elapsed_time }: RunNode, start: number): number {
    if (!overlaps || elapsed_time === null) return start
    return Math.min(start, Math.max(0, (lasted ?? 0) - elapsed_time))
  }

  function getEnd(node: RunNode, start: number): number {
    if (node.elapsed_time !== null) return start + Math.max(0, node.elapsed_time)
    if (node.status === 'running') return Math.max(start, runEnd)
    if (node.finished_at !== null && origin !== null) return Math.max(start, node.finished_at - origin)
    return start
  }

  /** The rounds of an iteration or loop with their nodes; nodes without a known round come first. */
  function rounds(holder: RunNode, ownWindow: TimeWindow, depth: number, within: readonly string[]): TimelineSpan[] {
    const inside = nodesByHolder.get(holder) ?? []
    const count = inside.reduce((highest, node) => Math.max(highest, (getRound(node) ?? -1) + 1), holder.rounds)
    const byRound = Map.groupBy(inside, getRound)
    const durations = readRoundDurations(holder)
    const areParallel =
      sumDurations(durations) > (holder.elapsed_time ?? Infinity) * 1.05 || areRoundsParallel(holder, inside)
    const spans = place(byRound.get(null) ?? [], ownWindow.start, depth, within)
    let next = ownWindow.start
    for (let round = 0; round < Math.min(count, MAX_ROUNDS); round++) {
      const start = areParallel ? ownWindow.start : next
      const key = `${holder.id}:${round}`
      const children = place(byRound.get(round) ?? [], start, depth + 1, [key, ...within])
      const latest = children.reduce((last, span) => Math.max(last, span.end), start)
      const isLast = round === count - 1
      const isOpen = (isLast || areParallel) && durations[round] === undefined
      const end = Math.max(
        latest,
        start + (durations[round] ?? 0),
        isOpen && holder.status === 'running' ? ownWindow.end : 0,
      )
      const state = getRoundState(holder, children, isOpen, areParallel)
      spans.push({ key, kind: 'round', node: holder, round, depth, start, end, state, ticks: [], within })
      for (const span of children) spans.push(span)
      next = end
    }
    return spans
  }

  /** `isOpen` while the end of the round is unknown: its state is then that of the iteration or loop. */
  function getRoundState(
    holder: RunNode,
    children: readonly TimelineSpan[],
    isOpen: boolean,
    areParallel: boolean,
  ): string {
    const state = getSpanState(holder)
    const has = (word: string) => children.some((child) => child.state === word)
    if (isOpen && state === 'running') return state
    if (has('failed')) return 'failed'
    if (isOpen && (holder.status === 'running' || state === 'stopped')) return state
    if (has('exception')) return 'exception'
    if (isOpen && state === 'failed') return areParallel ? 'interrupted' : state
    return children.some(({ node }) => node.status === 'running') ? 'unknown' : 'succeeded'
  }
}

/** A platform that counts to any number is not followed there. */
const MAX_ROUNDS = 10_000

const getRound = ({ round }: RunNode): number | null =>
  round !== null && Number.isInteger(round) && round >= 0 && round < MAX_ROUNDS ? round : null

/**
 * Nodes by the execution that holds them, null for those of the run itself. One `node_id` may run more than once; a node
 * belongs to the execution that began last before it. So nothing holds itself, whatever the platform says.
 */
function groupByHolder(nodes: readonly RunNode[]): Map<RunNode | null, RunNode[]> {
  const holders = new Map<string, RunNode>()
  const nodesByHolder = new Map<RunNode | null, RunNode[]>()
  for (const node of nodes) {
    const holder = (node.parent === null ? undefined : holders.get(node.parent)) ?? null
    const list = nodesByHolder.get(holder)
    if (list) list.push(node)
    else nodesByHolder.set(holder, [node])
    if (node.kind !== 'node') holders.set(node.node_id ?? node.id, node)
  }
  return nodesByHolder
}

/** Seconds by round, if the platform reported them. */
function readRoundDurations({ execution_metadata }: RunNode): Record<number, number> {
  const given = execution_metadata?.iteration_duration_map ?? execution_metadata?.loop_duration_map
  if (typeof given !== 'object' || given === null) return {}
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, number] => typeof pair[1] === 'number' && pair[1] >= 0),
  )
}

const sumDurations = (durations: Record<number, number>): number =>
  Object.values(durations).reduce((total, duration) => total + duration, 0)

/** The end of each attempt except the last, by its own duration; attempts without a duration are spread evenly. */
function listRetryTimes({ retries }: RunNode, { start, end }: TimeWindow): number[] {
  const hasTimes = retries.every(({ elapsed_time }) => elapsed_time !== null && elapsed_time >= 0)
  let at = start
  return retries.map(({ elapsed_time }, index) => {
    at = hasTimes ? at + (elapsed_time ?? 0) : start + ((end - start) * (index + 1)) / (retries.length + 1)
    return Math.min(at, end)
  })
}

export interface TimeShare {
  span: TimelineSpan
  /** Of the whole run, 0 to 1. */
  share: number
}

/** Shorter runs are over before one could ask where the time went, seconds. */
const MIN_RUN_SECONDS = 0.05
const MIN_NODE_SHARE = 0.1

/** Where the time of a run went: the nodes of its first level that took a tenth of it or more, at most two, longest first; none where the times do not add up. */
export function findSlowestSpans({ spans, length, isAdditive }: TimelineData): TimeShare[] {
  if (!isAdditive || length < MIN_RUN_SECONDS) return []
  return spans
    .filter(({ depth }) => depth === 0)
    .map((span) => ({ span, share: (span.end - span.start) / length }))
    .filter(({ share }) => share >= MIN_NODE_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, 2)
}

/** The share of a run in which no node worked, 0 to 1. */
export function getIdleShare({ spans, length }: TimelineData): number {
  if (length < MIN_RUN_SECONDS) return 0
  const busy = spans.filter(({ depth }) => depth === 0).sort((a, b) => a.start - b.start)
  let reached = 0
  let worked = 0
  for (const { start, end } of busy) {
    worked += Math.max(0, end - Math.max(start, reached))
    reached = Math.max(reached, end)
  }
  return Math.min(1, Math.max(0, 1 - worked / length))
}

/** More lines would hide the run behind its unreached nodes. */
const MAX_UNREACHED_NODES = 100

/**
 * A line for each node that earlier runs of the same workflow had and the stream of this one did not show. It was not
 * reached if the whole stream was seen; else nothing is known of it.
 */
export function toUnreachedSpans(
  run: RunState,
  known: readonly KnownNode[],
  length: number,
  isWholeStream: boolean,
): TimelineSpan[] {
  const state = isWholeStream ? 'not reached' : 'no details'
  const reached = new Set(run.nodes.map(({ node_id }) => node_id))
  return known
    .filter(({ node_id }) => !reached.has(node_id))
    .slice(0, MAX_UNREACHED_NODES)
    .map(({ node_id, node_type, title, parent }) => ({
      key: `unreached:${node_id}`,
      kind: 'unreached',
      node: { ...emptyNode, id: node_id, kind: 'node', status: state, node_id, node_type, title, parent },
      round: null,
      depth: 0,
      start: length,
      end: length,
      state,
      ticks: [],
      within: [],
    }))
}
