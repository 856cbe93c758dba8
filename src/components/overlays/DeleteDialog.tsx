import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Problem } from '#contract/problem.ts'
import fields from '../forms/Fields.module.css'
import { componentMessages } from '../i18n/messages.ts'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { useMessages } from '../i18n/useMessages.ts'

export interface DeleteDialogProps {
  /** The question, which names the resource. */
  title: string
  /** What is deleted, with counts, and what remains. */
  children: ReactNode
  /** Labels of the confirm and cancel buttons. */
  confirmLabel: string
  cancelLabel: string
  isPending: boolean
  problem: Problem | undefined
  /** The failed action, after "to". */
  action: string
  onDelete: () => void
  onClose: () => void
}

/** Confirms a deletion on the platform. Cancel has the initial focus. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, children, confirmLabel, cancelLabel, isPending, problem, action, onDelete, onClose } = props
  const t = useMessages(componentMessages)
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={fields.text}>{children}</div>
      {problem ? <ProblemAlert problem={problem} action={action} /> : null}
      <div className={fields.buttons}>
        <Button color="red" variant="default" loading={isPending} onClick={onDelete}>
          {confirmLabel}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {cancelLabel}
        </Button>
      </div>
    </Modal>
  )
}
