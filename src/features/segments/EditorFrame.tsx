import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Editor.module.css'
import { segmentsWords } from './messages.ts'

export interface EditorFrameProps {
  title: string
  /** Figures below the title. */
  facts?: ReactNode
  /** The word of the state, null where there is nothing to say. */
  state: string | null
  onClose: () => void
  children: ReactNode
  /** What stands below the fields. */
  foot?: ReactNode
}

/** The frame of an editor: what is edited, whether it is saved, the way out, then the fields. */
export function EditorFrame({ title, facts, state, onClose, children, foot }: EditorFrameProps) {
  const t = useWords(segmentsWords)
  return (
    <div className={classes.editor}>
      <header>
        <div>
          <h2>{title}</h2>
          {facts ? <span className={classes.facts}>{facts}</span> : null}
        </div>
        {state ? <StateBadge word={state} /> : null}
        <Tooltip label={t('close')}>
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={classes.fields}>{children}</div>
      {foot}
    </div>
  )
}
