import { useEffect, useState, useTransition } from 'react'
import ReactMarkdown from 'react-markdown'
import { PARTS } from './markdownElements.ts'
import { firstNodes, type HastNode } from './pipeline/htmlTree.ts'
import type { ParsedBlock } from './pipeline/parseBlock.ts'
import { toMarkedTree } from './pipeline/markdownPipeline.ts'
import type { TextHighlight } from './textHighlight.ts'

/** Nodes rendered per step; the page responds to input between two steps. */
const NODES_PER_STEP = 3_000

interface BlockTreeProps {
  parsed: NonNullable<ParsedBlock>
  /** Offset of the end of the block in the answer. */
  end: number
  marked: boolean
  mark: TextHighlight | null
}

/** A block parsed by a worker, rendered in steps. */
export function BlockTree({ parsed, end, marked, mark }: BlockTreeProps) {
  const [limit, setLimit] = useState(NODES_PER_STEP)
  const [isDrawing, start] = useTransition()
  const isShort = limit < parsed.nodes
  useEffect(() => {
    if (isShort && !isDrawing) start(() => setLimit((drawn) => drawn + NODES_PER_STEP))
  }, [isShort, isDrawing])
  // The parser gets an empty text, and the plugin replaces its result with the tree.
  const useTree = () => (): HastNode => firstNodes(parsed.tree, limit)
  return (
    <ReactMarkdown
      rehypePlugins={[useTree as never, ...toMarkedTree(mark, end, marked && !isShort)]}
      components={PARTS}
    >
      {''}
    </ReactMarkdown>
  )
}
