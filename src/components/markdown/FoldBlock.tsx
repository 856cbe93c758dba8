import { type ReactNode, useState } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import type { FoldContent } from './blocks/foldContent.ts'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'

export interface FoldBlockProps {
  fold: Pick<FoldContent, 'summary' | 'isUnfolded'>
  isThought: boolean
  /** It may still grow. */
  isOpen: boolean
  /** Unfolds it, because it contains the highlighted text. */
  isExpanded: boolean
  children: ReactNode
}

/** What a model wrote between `<think>` or `<details>` tags, folded. */
export function FoldBlock({ fold, isThought, isOpen, isExpanded, children }: FoldBlockProps) {
  const t = useMessages(markdownMessages)
  const [isUnfolded, setUnfolded] = useState(fold.isUnfolded || isExpanded)
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
      <summary dir="auto">{isThought ? t(isOpen ? 'thinking' : 'thought') : fold.summary || t('details')}</summary>
      {children}
    </details>
  )
}
