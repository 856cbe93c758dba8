import { type ComponentProps, useContext } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { AnswerContext } from './answerContext.ts'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'

/** The spans that `marks.ts` puts into the tree: a citation, or the end of the text. */
export function CitationSpan(props: ComponentProps<'span'>) {
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
