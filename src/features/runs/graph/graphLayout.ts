import { Graph, layout } from '@dagrejs/dagre'
import type { ObservedEdge, ObservedNode } from './observedGraph.ts'

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
