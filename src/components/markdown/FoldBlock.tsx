import { type ComponentProps, type ReactNode, useState } from 'react'
import type { ExtraProps } from 'react-markdown'
import { useMessages } from '../i18n/useMessages.ts'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'
import type { HastNode } from './pipeline/htmlTree.ts'

export interface FoldBlockProps {
  /** Null if the children begin with a `<summary>`. */
  summary: ReactNode
  isUnfolded: boolean
  /** Unfolds it, because it contains the highlighted text. */
  isExpanded: boolean
  children: ReactNode
}

/** What a model wrote between the tags of a thought or of `<details>`, folded. */
export function FoldBlock({ summary, isUnfolded: isInitiallyUnfolded, isExpanded, children }: FoldBlockProps) {
  const [isUnfolded, setUnfolded] = useState(isInitiallyUnfolded || isExpanded)
  const [wasExpanded, setExpanded] = useState(isExpanded)
  if (wasExpanded !== isExpanded) {
    setExpanded(isExpanded)
    if (isExpanded) setUnfolded(true)
  }
  return (
    <details
      className={classes.thought}
      open={isUnfolded || undefined}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
    >
      {summary === null ? null : <summary dir="auto">{summary}</summary>}
      {children}
    </details>
  )
}

/** A fold within a list item, a quotation or a table. */
export function NestedFold({ node, children }: ComponentProps<'details'> & ExtraProps) {
  const t = useMessages(markdownMessages)
  const { properties = {}, children: nodes = [] } = node as HastNode
  const hasSummary = nodes.some(({ tagName }) => tagName === 'summary')
  return (
    <FoldBlock
      summary={hasSummary ? null : t(properties.dataThought ? 'thought' : 'details')}
      isUnfolded={properties.open === true}
      isExpanded={hasHighlight(node as HastNode)}
    >
      {children}
    </FoldBlock>
  )
}

const hasHighlight = ({ tagName, children = [] }: HastNode): boolean =>
  tagName === 'mark' || children.some(hasHighlight)
