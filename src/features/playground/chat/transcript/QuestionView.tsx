import { ActionIcon, CopyButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconCheck, IconCopy, IconPencil } from '@tabler/icons-react'
import type { TurnQuestion } from '../../../runs/turn.ts'
import { Tooltip } from '../../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { EditQuestionForm } from './EditQuestionForm.tsx'
import { chatMessages } from '../messages.ts'
import classes from './QuestionView.module.css'

export interface QuestionViewProps {
  question: TurnQuestion
  files: ReactNode
  /** The edited text, null while the question is not being edited. */
  edited: string | null
  /** Null if it cannot be edited now. */
  onEdit: ((query: string | null) => void) | null
  onResend: (query: string) => void
}

/** The question with its files; it can be copied, edited and sent again. */
export function QuestionView({ question, files, edited, onEdit, onResend }: QuestionViewProps) {
  const t = useMessages(chatMessages)
  const { query } = question
  if (edited !== null && onEdit)
    return (
      <EditQuestionForm
        query={edited}
        onChange={onEdit}
        onSend={() => onResend(edited)}
        onCancel={() => onEdit(null)}
      />
    )
  return (
    <div className={classes.asked}>
      <div className={classes.question} tabIndex={query.length > SCROLLABLE_QUESTION_CHARS ? 0 : undefined}>
        <div className={classes.words} dir="auto">
          {query}
        </div>
        {files}
      </div>
      <div className={classes.actions}>
        <CopyButton value={query} timeout={1500}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t('copied') : t('copyQuestion')}>
              <ActionIcon size={24} onClick={copy} aria-label={t('copyQuestion')}>
                {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
        {onEdit ? (
          <Tooltip label={t('edit')}>
            <ActionIcon size={24} onClick={() => onEdit(query)} aria-label={t('edit')}>
              <IconPencil size={14} />
            </ActionIcon>
          </Tooltip>
        ) : null}
      </div>
    </div>
  )
}

/** A question above this length scrolls, so it must be focusable. */
const SCROLLABLE_QUESTION_CHARS = 600
