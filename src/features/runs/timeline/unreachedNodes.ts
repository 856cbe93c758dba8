import type { KnownNode } from '#contract/console/runInsights.ts'
import { emptyNode } from '#domain/workflowRun/runNodes.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import type { TimelineSpan } from './timelineSpans.ts'

/** More lines than this would hide the run behind what it is not. */
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
