import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './editor/Editor.module.css'
import { segmentMessages } from './messages.ts'

export interface ConfirmButtonProps {
  /** The question, which names the resource. */
  title: string
  /** What is deleted, and what remains. */
  explanation: string
  /** The label of the button. */
  confirmLabel: string
  icon: ReactNode
  onConfirm: () => void
}

/** An action with an inline confirmation. Cancel has the initial focus. */
export function ConfirmButton({ title, explanation, confirmLabel, icon, onConfirm }: ConfirmButtonProps) {
  const t = useMessages(segmentMessages)
  const [isConfirming, setConfirming] = useState(false)
  if (!isConfirming)
    return (
      <Button variant="subtle" color="gray" leftSection={icon} onClick={() => setConfirming(true)}>
        {confirmLabel}
      </Button>
    )
  return (
    <div className={classes.confirm} role="alertdialog" aria-label={title}>
      <strong>{title}</strong>
      <p>{explanation}</p>
      <div className={classes.buttons}>
        <Button variant="default" autoFocus onClick={() => setConfirming(false)}>
          {t('cancel')}
        </Button>
        <Button
          color="red"
          onClick={() => {
            setConfirming(false)
            onConfirm()
          }}
        >
          {confirmLabel}
        </Button>
      </div>
    </div>
  )
}
