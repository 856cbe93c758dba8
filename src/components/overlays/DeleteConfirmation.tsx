import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import type { Problem } from '#contract/problem.ts'
import fields from '../forms/Fields.module.css'
import { componentMessages } from '../i18n/messages.ts'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { useMessages } from '../i18n/useMessages.ts'
import classes from './DeleteConfirmation.module.css'
import type { DeleteQuestion } from './useDeleteDialog.ts'

interface DeleteConfirmationProps extends Omit<DeleteQuestion, 'title' | 'run'> {
  isPending: boolean
  problem: Problem | undefined
  onDelete: () => void
  onClose: () => void
}

/**
 * The content of the dialog of `useDeleteDialog`: what is lost, what is kept, and a red button that names the action.
 * The initial focus is on Cancel, or on the field for the name.
 */
export function DeleteConfirmation(props: DeleteConfirmationProps) {
  const { children, lost = [], kept = [], typedName, confirmLabel, cancelLabel } = props
  const { isPending, problem, action, onDelete, onClose } = props
  const t = useMessages(componentMessages)
  const [typed, setTyped] = useState('')
  const isConfirmed = typedName === undefined || typed.trim() === typedName.trim()
  return (
    <>
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
    </>
  )
}

export function Consequences({ heading, items }: { heading: string; items: readonly ReactNode[] }) {
  const id = useId()
  if (items.length === 0) return null
  return (
    <div className={fields.text}>
      <p id={id} className={classes.heading}>
        {heading}
      </p>
      <ul className={classes.consequences} aria-labelledby={id}>
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    </div>
  )
}
