import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import fields from '../forms/Fields.module.css'
import type { LeaveGuard } from '../hooks/useLeaveGuard.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { commonMessages } from '../i18n/commonMessages.ts'

export interface LeaveDialogProps {
  guard: LeaveGuard
  title: string
  leaveLabel: string
  stayLabel: string
  /** What is lost. */
  children: ReactNode
}

/** Asked where a link would leave something unfinished. */
export function LeaveDialog({ guard, title, leaveLabel, stayLabel, children }: LeaveDialogProps) {
  const t = useMessages(commonMessages)
  return (
    <Modal
      opened={guard.pendingPath !== null}
      onClose={guard.stay}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <p className={fields.text}>{children}</p>
      <div className={fields.buttons}>
        <Button onClick={guard.leave} variant="default">
          {leaveLabel}
        </Button>
        <Button onClick={guard.stay} data-autofocus>
          {stayLabel}
        </Button>
      </div>
    </Modal>
  )
}
