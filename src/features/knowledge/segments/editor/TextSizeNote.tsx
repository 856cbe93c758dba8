import { useTokenCount } from '../../chunkLab/useTokenCount.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from './Editor.module.css'
import { segmentMessages } from '../messages.ts'

/** How big a text is, and how big it was before it was changed. */
export function TextSizeNote({ text, before }: { text: string; before: string }) {
  const t = useMessages(segmentMessages)
  const tokens = useTokenCount(text)
  const characters = [...text].length
  return (
    <p className={classes.note} role="status" aria-live="off">
      {tokens === null ? t('size', { characters }) : t('sizeTokens', { characters, tokens })}
      {text === before || before === '' ? null : ` ${t('previousSize', { characters: [...before].length })}`}
    </p>
  )
}
