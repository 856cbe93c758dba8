import { useTranslations } from 'use-intl'
import { useTokens } from '../../lab/useTokens.ts'
import classes from './Editor.module.css'

/** How big a text is, and how big it was before it was changed. */
export function SizeNote({ text, before }: { text: string; before: string }) {
  const t = useTranslations('segments')
  const tokens = useTokens(text)
  return (
    <p className={classes.note} role="status" aria-live="off">
      {t('size', { characters: [...text].length })}
      {tokens === null ? null : ` ${t('aboutTokens', { tokens })}`}
      {text === before || before === '' ? null : ` ${t('was', { characters: [...before].length })}`}
    </p>
  )
}
