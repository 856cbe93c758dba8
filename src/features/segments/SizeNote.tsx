import { useTokens } from '../../lab/useTokens.ts'
import { useWords } from '../../ui/words.ts'
import classes from './Editor.module.css'
import { segmentsWords } from './messages.ts'

/** How big a text is, and how big it was before it was changed. */
export function SizeNote({ text, before }: { text: string; before: string }) {
  const t = useWords(segmentsWords)
  const tokens = useTokens(text)
  const characters = [...text].length
  return (
    <p className={classes.note} role="status" aria-live="off">
      {tokens === null ? t('size', { characters }) : t('sizeTokens', { characters, tokens })}
      {text === before || before === '' ? null : ` ${t('was', { characters: [...before].length })}`}
    </p>
  )
}
