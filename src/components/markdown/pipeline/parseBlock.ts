import ReactMarkdown from 'react-markdown'
import type { HastNode } from './htmlTree.ts'
import { escapeMath } from './escapeMath.ts'
import { REMARK, toSafeTree } from './markdownPipeline.ts'

/** A block that is parsed away from the page. `start` is where it begins in the answer. */
export interface ParseRequest {
  text: string
  start: number
}

/** The tree of a block, with the number of its nodes; null for one that is more than a page can draw. */
export type ParsedBlock = { tree: HastNode; nodes: number } | null

/** Nodes that a page draws of one block. */
export const MAX_TREE_NODES = 20_000
/** Levels of a tree: drawing recurses. */
export const MAX_TREE_DEPTH = 256

/** @throws RangeError for a text that nests deeper than the parser can follow */
export function parseBlock({ text, start }: ParseRequest): ParsedBlock {
  const kept = escapeMath(text)
  let tree: HastNode = { type: 'root', children: [] }
  const takeTree = () => (made: HastNode) => {
    tree = made
    // Nothing is left for React to make elements of.
    return { type: 'root', children: [] } as const
  }
  ReactMarkdown({
    children: kept.text,
    remarkPlugins: REMARK,
    rehypePlugins: [...toSafeTree(kept, start), takeTree as never],
  })
  const nodes = withoutPositions(tree)
  return nodes === null ? null : { tree, nodes }
}

/** Takes the positions in the source out of a tree. @returns how many nodes it has; null for too many, or too deep. */
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
