import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy, IconListSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Tooltip } from '../ui/Tooltip.tsx'
import { useWords } from '../ui/words.ts'
import classes from './Answer.module.css'
import { runWords } from './messages.ts'

export interface TurnFootProps {
  text: string
  onInspect: () => void
  /** More that one can do with this answer. */
  deeds?: ReactNode
  children: ReactNode
}

/** Under an answer: its figures, and what one can do with it. */
export function TurnFoot({ text, onInspect, deeds, children }: TurnFootProps) {
  const t = useWords(runWords)
  return (
    <div className={classes.foot}>
      <span className={classes.metrics}>{children}</span>
      {deeds}
      {text === '' ? null : (
        <CopyButton value={text} timeout={1500}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t('copied') : t('copyAnswer')}>
              <ActionIcon onClick={copy} aria-label={t('copyAnswer')}>
                {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      )}
      <Tooltip label={t('inspect')}>
        <ActionIcon onClick={onInspect} aria-label={t('inspect')}>
          <IconListSearch size={15} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
