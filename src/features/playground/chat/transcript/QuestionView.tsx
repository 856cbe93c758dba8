import { ActionIcon, Box, Button, CopyButton, Group } from '@mantine/core'
import type { ReactNode, KeyboardEvent } from 'react'
import { IconCheck, IconCopy, IconPencil, IconArrowUp } from '@tabler/icons-react'
import type { TurnQuestion } from '../../../runs/turn.ts'
import { Tooltip } from '../../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { transcriptMessages } from './messages.ts'
import classes from './Transcript.module.css'
import { isSubmitShortcut } from '../../../../components/hooks/modifierKey.ts'

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
  const t = useMessages(transcriptMessages)
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

interface EditQuestionFormProps {
  query: string
  onChange: (query: string) => void
  onSend: () => void
  onCancel: () => void
}

/** Edits a question, and explains the effect on the platform. */
function EditQuestionForm({ query, onChange, onSend, onCancel }: EditQuestionFormProps) {
  const t = useMessages(transcriptMessages)
  const canSend = query.trim() !== ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return onCancel()
    if (!isSubmitShortcut(event) || !canSend) return
    event.preventDefault()
    onSend()
  }
  return (
    <form
      className={classes.editForm}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) onSend()
      }}
    >
      <textarea
        className={classes.editField}
        aria-label={t('editLabel')}
        autoFocus
        value={query}
        onFocus={({ currentTarget: field }) => field.setSelectionRange(field.value.length, field.value.length)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Box component="p" px={3} c="var(--text-3)" fz="xs">
        {t('editWhy')}
      </Box>
      <Group gap="xs" justify="end">
        <Button variant="subtle" color="gray" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" leftSection={<IconArrowUp size={14} />} disabled={!canSend}>
          {t('editSend')}
        </Button>
      </Group>
    </form>
  )
}
