import { Button } from '@mantine/core'
import { isSubmitShortcut } from '../../../../components/hooks/modifierKey.ts'
import { IconArrowUp } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from './EditQuestionForm.module.css'
import { chatMessages } from '../messages.ts'

export interface EditQuestionFormProps {
  query: string
  onChange: (query: string) => void
  onSend: () => void
  onCancel: () => void
}

/** Edits a question, and explains the effect on the platform. */
export function EditQuestionForm({ query, onChange, onSend, onCancel }: EditQuestionFormProps) {
  const t = useMessages(chatMessages)
  const canSend = query.trim() !== ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return onCancel()
    if (!isSubmitShortcut(event) || !canSend) return
    event.preventDefault()
    onSend()
  }
  return (
    <form
      className={classes.form}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) onSend()
      }}
    >
      <textarea
        className={classes.field}
        aria-label={t('editLabel')}
        autoFocus
        value={query}
        onFocus={({ currentTarget: field }) => field.setSelectionRange(field.value.length, field.value.length)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p className={classes.note}>{t('editWhy')}</p>
      <div className={classes.actions}>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" leftSection={<IconArrowUp size={14} />} disabled={!canSend}>
          {t('editSend')}
        </Button>
      </div>
    </form>
  )
}
