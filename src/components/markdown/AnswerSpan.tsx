import { type ComponentProps, useContext } from 'react'
import type { ExtraProps } from 'react-markdown'
import { useMessages } from '../i18n/useMessages.ts'
import { AnswerContext } from './answerContext.ts'
import { Formula } from './formula/Formula.tsx'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'
import type { HastNode } from './pipeline/htmlTree.ts'

/** The spans that our plugins put into the tree: a formula, a citation, or the end of the text. */
export function AnswerSpan({ node, ...props }: ComponentProps<'span'> & ExtraProps) {
  return 'data-formula' in props ? <Formula node={node as HastNode} /> : <CitationSpan {...props} />
}

function CitationSpan(props: ComponentProps<'span'>) {
  const { caret, citations, onCite } = useContext(AnswerContext)
  const t = useMessages(markdownMessages)
  const cited = (props as Record<string, unknown>)['data-citation']
  if (cited === undefined) return caret
  const position = Number(cited)
  if (!citations?.includes(position)) return props.children
  return (
    <button
      type="button"
      className={classes.citation}
      aria-label={t('source', { position })}
      data-after={(props as Record<string, unknown>)['data-after'] as number | undefined}
      onClick={() => onCite?.(position)}
    >
      {position}
    </button>
  )
}
