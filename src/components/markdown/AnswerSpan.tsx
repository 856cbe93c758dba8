import { type ComponentProps, useContext } from 'react'
import type { ExtraProps } from 'react-markdown'
import { useMessages } from '../i18n/useMessages.ts'
import { AnswerContext } from './answerContext.ts'
import { Formula } from './formula/Formula.tsx'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'
import { getAnchorAttributes, type HastNode } from './pipeline/htmlTree.ts'

/** The spans that our plugins put into the tree: a formula, a citation, or the end of the text. */
export function AnswerSpan({ node, ...props }: ComponentProps<'span'> & ExtraProps) {
  if ('data-formula' in props) return <Formula node={node as HastNode}>{props.children}</Formula>
  if ('data-together' in props)
    return (
      <span className={classes.together} {...getAnchorAttributes(node as HastNode)}>
        {props.children}
      </span>
    )
  if ('data-piece' in props) return <span {...getAnchorAttributes(node as HastNode)}>{props.children}</span>
  return <CitationSpan {...props} />
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
