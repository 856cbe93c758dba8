import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy, IconListSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './AnswerView.module.css'
import { runMessages } from '../detail/messages.ts'

export interface TurnFooterProps {
  text: string
  onInspect: () => void
  /** Further actions on this answer. */
  actions?: ReactNode
  children: ReactNode
}

/** Metrics and actions below an answer. */
export function TurnFooter({ text, onInspect, actions, children }: TurnFooterProps) {
  const t = useMessages(runMessages)
  return (
    <div className={classes.foot}>
      <span className={classes.metrics}>{children}</span>
      {actions}
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
