import type { KnownNode } from '#contract/telling.ts'
import { untoldNode } from '#contract/nodes.ts'
import type { RunState } from '#contract/run.ts'
import type { Span } from './spans.ts'

/** More lines than this would hide the run behind what it is not. */
const MOST = 100

/** A line for each node that earlier runs of the same workflow had and this one had not. */
export function unreachedOf(run: RunState, known: readonly KnownNode[], length: number): Span[] {
  const reached = new Set(run.nodes.map(({ node_id }) => node_id))
  return known
    .filter(({ node_id }) => !reached.has(node_id))
    .slice(0, MOST)
    .map(({ node_id, node_type, title, parent }) => ({
      key: `unreached:${node_id}`,
      kind: 'unreached',
      node: { ...untoldNode, id: node_id, kind: 'node', status: 'not reached', node_id, node_type, title, parent },
      round: null,
      depth: 0,
      start: length,
      end: length,
      state: 'not reached',
      ticks: [],
      within: [],
    }))
}
