import { Graph, layout } from '@dagrejs/dagre'
import type { SeenEdge, SeenNode } from './graph.ts'

/** As much of a graph as its layout depends on. */
export interface Shape {
  nodes: Pick<SeenNode, 'key' | 'within' | 'kind'>[]
  edges: SeenEdge[]
}

/** Where a node stands, pixels; what another one holds is placed from its upper left corner. */
export interface Place {
  x: number
  y: number
  width: number
  height: number
}

export const SIZE = { width: 208, height: 58 }
/** Room for the name of what holds others. */
const HEAD = 34
const AIR = 14

/** Lays a graph out from left to right. What an iteration or loop holds is laid out by itself, within it. */
export function placesOf(graph: Shape): Map<string, Place> {
  const places = new Map<string, Place>()
  place(null)
  return places

  function place(within: string | null): { width: number; height: number } {
    const own = graph.nodes.filter((node) => node.within === within)
    const keys = new Set(own.map(({ key }) => key))
    const drawn = new Graph<{ width: number; height: number; x: number; y: number }>()
    drawn.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 44, marginx: 0, marginy: 0 })
    drawn.setDefaultEdgeLabel(() => ({}))
    for (const { key, kind } of own) {
      const holds = kind !== 'node' && graph.nodes.some((node) => node.within === key)
      const inside = holds ? place(key) : null
      const size = inside
        ? { width: Math.max(SIZE.width, inside.width + 2 * AIR), height: inside.height + HEAD + AIR }
        : SIZE
      drawn.setNode(key, { ...size, x: 0, y: 0 })
    }
    for (const { from, to } of graph.edges) if (keys.has(from) && keys.has(to)) drawn.setEdge(from, to)
    layout(drawn)
    const [left, top] = within === null ? [0, 0] : [AIR, HEAD]
    let [width, height] = [0, 0]
    for (const { key } of own) {
      const { x, y, ...size } = drawn.node(key)
      places.set(key, { x: left + x - size.width / 2, y: top + y - size.height / 2, ...size })
      width = Math.max(width, x + size.width / 2)
      height = Math.max(height, y + size.height / 2)
    }
    return { width, height }
  }
}
