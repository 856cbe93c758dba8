import { useTranslations } from 'use-intl'
import { Block } from './Block.tsx'
import classes from './Markdown.module.css'

export interface ThoughtProps {
  text: string
  open: boolean
  marked: boolean
}

/** What a model wrote between `<think>` tags, folded. */
export function Thought({ text, open, marked }: ThoughtProps) {
  const t = useTranslations('markdown')
  const inner = text.replace(/^<think>/, '').replace(/<\/think>$/, '')
  return (
    <details className={classes.thought}>
      <summary>{open ? t('thinking') : t('thought')}</summary>
      <Block block={{ kind: 'markdown', text: inner }} open={open} marked={marked} />
    </details>
  )
}
