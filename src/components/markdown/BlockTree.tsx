import { useEffect, useState, useTransition } from 'react'
import ReactMarkdown from 'react-markdown'
import { PARTS } from './markdownElements.ts'
import { firstNodes, type HastNode } from './pipeline/htmlTree.ts'
import type { ParsedBlock } from './pipeline/parseBlock.ts'
import { toMarkedTree } from './pipeline/markdownPipeline.ts'
import type { TextHighlight } from './textHighlight.ts'

/** Nodes that are drawn at a time: between two such pieces the page answers. */
const NODES_PER_STEP = 3_000

interface BlockTreeProps {
  parsed: NonNullable<ParsedBlock>
  /** Where the block ends in the answer. */
  end: number
  marked: boolean
  mark: TextHighlight | null
}

/** A block that a worker has parsed, drawn piece by piece. */
export function BlockTree({ parsed, end, marked, mark }: BlockTreeProps) {
  const [limit, setLimit] = useState(NODES_PER_STEP)
  const [isDrawing, start] = useTransition()
  const isShort = limit < parsed.nodes
  useEffect(() => {
    if (isShort && !isDrawing) start(() => setLimit((drawn) => drawn + NODES_PER_STEP))
  }, [isShort, isDrawing])
  // The parser has nothing to do: the tree stands in for what it makes of an empty text.
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
