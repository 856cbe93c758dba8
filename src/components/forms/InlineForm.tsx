import { Button } from '@mantine/core'
import { type ReactNode, type SubmitEvent, Suspense } from 'react'
import { useLeaveGuard } from '../hooks/useLeaveGuard.ts'
import { commonMessages } from '../i18n/commonMessages.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { lazyWithPreload } from '../layout/lazyWithPreload.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import fields from './Fields.module.css'
import { formMessages } from './messages.ts'
import type { FormControls } from './useContractForm.ts'

const LazyLeaveDialog = lazyWithPreload(async () => (await import('../overlays/LeaveDialog.tsx')).LeaveDialog)

export interface FormProps {
  /** From `useContractForm`, or the controls of a form that validates by itself. */
  form: FormControls
  /** The inputs and notes. */
  children: ReactNode
  /** Null for a person who may not submit. Without it the form has no buttons but those of `children`. */
  submitLabel?: string | null | undefined
  isSubmitDisabled?: boolean
  /** What the form does, for its problem box: "invite the person". */
  action: string
  /** After Cancel: more buttons, or a note. */
  buttons?: ReactNode
}

export interface InlineFormProps extends FormProps {
  /** Accessible name, if no heading says what the form is for. */
  label?: string
  /** A row of inputs with its button, or a column with buttons below. */
  layout?: 'row' | 'column'
  /** Shows Cancel. */
  onCancel?: () => void
  /** Asks before a navigation that would lose the input. */
  hasLeaveGuard?: boolean
}

/** A form in a page or a toolbar: its fields, the problem that is not at a field, and its buttons. */
export function InlineForm(props: InlineFormProps) {
  const { form, children, submitLabel, isSubmitDisabled = false, action, buttons, label } = props
  const { layout = 'column', onCancel, hasLeaveGuard = false } = props
  const { isPending = false, problem, isUnsaved = false } = form
  const t = useMessages(commonMessages)
  const isRow = layout === 'row'
  const hasButtons = submitLabel !== undefined || Boolean(onCancel ?? buttons)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.submit(event)
  }
  const controls = (
    <>
      {submitLabel ? (
        <Button type="submit" loading={isPending} disabled={isSubmitDisabled}>
          {submitLabel}
        </Button>
      ) : null}
      {onCancel ? (
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
      ) : null}
      {buttons}
    </>
  )
  return (
    <>
      <form className={isRow ? fields.inline : fields.form} onSubmit={submit} noValidate aria-label={label}>
        {children}
        {isRow ? controls : null}
        {problem ? <ProblemAlert problem={problem} action={action} isInForm /> : null}
        {isRow || !hasButtons ? null : <div className={fields.buttons}>{controls}</div>}
      </form>
      {hasLeaveGuard ? <UnsavedInputGuard isUnsaved={isUnsaved} /> : null}
    </>
  )
}

function UnsavedInputGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const t = useMessages(formMessages)
  const guard = useLeaveGuard(isUnsaved)
  if (guard.pendingPath === null) return null
  return (
    <Suspense>
      <LazyLeaveDialog guard={guard} title={t('leaveTitle')} leaveLabel={t('leave')} stayLabel={t('stay')}>
        {t('leaveText')}
      </LazyLeaveDialog>
    </Suspense>
  )
}
