import ReactMarkdown from 'react-markdown'
import type { HastNode } from './htmlTree.ts'
import { toRemarkPlugins, toSafeTree } from './markdownPipeline.ts'

/** A block to parse off the main thread. `start` is its offset in the answer. */
export interface ParseRequest {
  text: string
  start: number
}

/** The tree of a block with its number of nodes; null if it is more than a page can render. */
export type ParsedBlock = { tree: HastNode; nodes: number } | null

/** Maximum nodes that a page renders for one block. */
export const MAX_TREE_NODES = 20_000
/** Maximum depth of a tree: rendering recurses. */
export const MAX_TREE_DEPTH = 256

/** @throws RangeError for a text that nests deeper than the parser can follow */
export function parseBlock({ text, start }: ParseRequest): ParsedBlock {
  let tree: HastNode = { type: 'root', children: [] }
  const takeTree = () => (made: HastNode) => {
    tree = made
    // Leave React nothing to render.
    return { type: 'root', children: [] } as const
  }
  ReactMarkdown({
    children: text,
    remarkPlugins: toRemarkPlugins(text),
    rehypePlugins: [...toSafeTree(text, start), takeTree as never],
  })
  const nodes = withoutPositions(tree)
  return nodes === null ? null : { tree, nodes }
}

/** Removes the source positions from a tree. @returns the number of nodes; null for too many, or too deep. */
function withoutPositions(tree: HastNode): number | null {
  let nodes = 0
  let level = [tree]
  for (let depth = 0; level.length > 0; depth++) {
    nodes += level.length
    if (depth > MAX_TREE_DEPTH || nodes > MAX_TREE_NODES) return null
    for (const node of level) delete node.position
    level = level.flatMap((node) => node.children ?? [])
  }
  return nodes
}
