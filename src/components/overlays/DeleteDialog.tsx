import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import type { Problem } from '#contract/problem.ts'
import fields from '../forms/Fields.module.css'
import { componentMessages } from '../i18n/messages.ts'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { useMessages } from '../i18n/useMessages.ts'
import classes from './DeleteDialog.module.css'
import { Dialog } from './Dialog.tsx'

export interface DeleteDialogProps {
  /** The question, which names the resource. */
  title: string
  /** More about the resource, above the lists. */
  children?: ReactNode
  /** What is lost, with counts, and what is kept. */
  lost?: readonly ReactNode[]
  kept?: readonly ReactNode[]
  /** The name that must be typed before; only for what takes everything with it. */
  typedName?: string
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

/**
 * The one confirmation of everything that cannot be undone: what is lost, what is kept, and a red button that names the
 * action. Cancel has the initial focus, or the field for the name.
 */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, children, lost = [], kept = [], typedName, confirmLabel, cancelLabel } = props
  const { isPending, problem, action, onDelete, onClose } = props
  const t = useMessages(componentMessages)
  const [typed, setTyped] = useState('')
  const isConfirmed = typedName === undefined || typed.trim() === typedName.trim()
  return (
    <Dialog onClose={onClose} title={title}>
      {children ? <div className={fields.text}>{children}</div> : null}
      <Consequences heading={t('lostHeading')} items={lost} />
      <Consequences heading={t('keptHeading')} items={kept} />
      {typedName === undefined ? null : (
        <TextInput
          mb={10}
          label={t('typeName', { name: typedName })}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {problem ? <ProblemAlert problem={problem} action={action} /> : null}
      <div className={fields.buttons}>
        <Button className={classes.danger} loading={isPending} disabled={!isConfirmed} onClick={onDelete}>
          {confirmLabel}
        </Button>
        <Button variant="default" onClick={onClose} data-autofocus={typedName === undefined || undefined}>
          {cancelLabel}
        </Button>
      </div>
    </Dialog>
  )
}

/** A list of what is lost or kept; nothing where the list is empty. */
export function Consequences({ heading, items }: { heading: string; items: readonly ReactNode[] }) {
  const id = useId()
  if (items.length === 0) return null
  return (
    <div className={fields.text}>
      <p id={id} className={classes.heading}>
        {heading}
      </p>
      <ul aria-labelledby={id}>
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    </div>
  )
}
