import { type ComponentProps, useContext } from 'react'
import { useWords } from '../words.ts'
import { AnswerContext } from './context.ts'
import classes from './Markdown.module.css'
import { markdownWords } from './messages.ts'

/** The spans that `marks.ts` puts into the tree: a citation, or the end of the text. */
export function Mark(props: ComponentProps<'span'>) {
  const { end, citations, onCite } = useContext(AnswerContext)
  const t = useWords(markdownWords)
  const cited = (props as Record<string, unknown>)['data-citation']
  if (cited === undefined) return end
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
