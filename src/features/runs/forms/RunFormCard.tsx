import { Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, Suspense, useId } from 'react'
import { type RunForm, formEndpoints } from '#contract/console/forms.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { splitFormContent } from '#domain/workflowRun/runForms.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { isSubmitShortcut, MODIFIER_KEY } from '../../../components/hooks/modifierKey.ts'
import { useHasPassed } from '../../../components/hooks/useHasPassed.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { usePermission } from '../../../client/usePermission.ts'
import { formatFieldError } from '../inputs/formatFieldError.ts'
import { InputControl } from '../inputs/InputControl.tsx'
import { PendingUploadsContext } from '../inputs/pendingUploads.ts'
import { inputMessages } from '../inputs/messages.ts'
import { useFocusInvalid } from '../inputs/useFocusInvalid.ts'
import type { Turn } from '../turn.ts'
import { FormOutcomeNote } from './FormOutcomeNote.tsx'
import { findPrimaryAction, toInputControl } from './formInput.ts'
import { formMessages } from './messages.ts'
import classes from './RunForms.module.css'
import { ResumptionRiskNote, ScheduledAnswerNote } from './ScheduledAnswer.tsx'
import { type RunFormState, useRunForm } from './useRunForm.ts'

const Markdown = lazyWithPreload(async () => (await import('../../../components/markdown/Markdown.tsx')).Markdown)

export interface RunFormCardProps {
  turn: Turn
  /** Null if this console has no such key (any more). */
  app: Pick<Key, 'id' | 'offers'> | null
  /** As the run's frames define it. */
  form: RunForm
}

/** One form: to be answered, or how it was answered. What was typed stays readable in any case. */
export function RunFormCard({ turn, app, form: framed }: RunFormCardProps) {
  const t = useMessages(formMessages)
  const state = useRunForm(turn.run_id, framed)
  const titleId = useId()
  const canAnswer = usePermission()(formEndpoints.submitRunForm)
  const { known, submission } = state
  // The frames are newer than what was read, where they say how the form ended.
  const form = framed.outcome || !known ? framed : { ...known.form, is_pending: framed.is_pending }
  const hasPassed = useHasPassed(form.is_pending ? form.expires_at : null)
  const hasExpired = form.outcome?.has_expired ?? (known?.state === 'expired' || (hasPassed && known?.state !== 'open'))
  const isAnswered =
    !hasExpired && (submission !== null || !form.is_pending || known?.state === 'submitted' || known?.answer != null)
  const isOpen = !hasExpired && !isAnswered && known?.state !== 'unknown' && form.can_answer
  const held = known?.scheduled ?? null
  return (
    <section className={classes.form} aria-labelledby={titleId} data-open={isOpen || undefined}>
      <header className={classes.head}>
        <h3 id={titleId} dir="auto">
          {t('form', { title: form.node_title })}
        </h3>
        {isAnswered || hasExpired ? null : (
          <span className={classes.deadline}>
            <IconClock size={14} aria-hidden="true" />
            {form.expires_at === null
              ? t('neverExpires')
              : t.rich('expires', { at: () => <RelativeTime at={form.expires_at} /> })}
          </span>
        )}
      </header>
      {isAnswered ? <FormOutcomeNote form={form} state={state} isRunning={turn.state === 'paused'} /> : null}
      {hasExpired ? (
        <p role="status">
          {form.expires_at === null
            ? t('expiredNoTime')
            : t.rich('expired', { at: () => <RelativeTime at={form.expires_at} /> })}
        </p>
      ) : null}
      {isAnswered || hasExpired ? (
        <UnsentInput form={form} state={state} />
      ) : (
        <>
          {getObstacle() ? <p role="status">{getObstacle()}</p> : null}
          {held ? <ScheduledAnswerNote form={form} state={state} held={held} canCancel={canAnswer} /> : null}
          {held && !held.problem ? null : (
            <FormBody turn={turn} app={app} form={form} state={state} isDisabled={!isOpen || !canAnswer} />
          )}
        </>
      )}
      {state.readProblem && !known && form.is_pending ? (
        <ProblemAlert problem={state.readProblem} action={t('readWhat')} onRetry={state.retryRead} />
      ) : null}
    </section>
  )

  function getObstacle(): string | null {
    const isByMail = form.channels.includes('email')
    if (!form.can_answer) return t(isByMail || form.channels.length === 0 ? 'byMail' : 'inPlatform')
    if (known?.state === 'unknown') return t('unknownForm')
    if (!canAnswer) return t('noPermission')
    return isByMail ? t('alsoByMail') : null
  }
}

interface FormBodyProps extends RunFormCardProps {
  state: RunFormState
  isDisabled: boolean
}

function FormBody({ turn, app, form, state, isDisabled }: FormBodyProps) {
  const t = useMessages(formMessages)
  const tRun = useMessages(inputMessages)
  const { values, errors, chosen, isSubmitting, submitProblem, uploads } = state
  const element = useFocusInvalid(errors)
  const primary = findPrimaryAction(form)
  const errorCount = Object.keys(errors).length
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmitShortcut(event) || !primary || isDisabled) return
    event.preventDefault()
    state.submit(primary.id)
  }
  const user = turn.question.user
  const upload = app?.offers.includes('uploadFile') ? { key: app.id, user } : null
  const fieldProblems = submitProblem?.fields ?? []
  const getError = (name: string) =>
    errors[name]
      ? formatFieldError(tRun, errors[name])
      : fieldProblems.find(({ path }) => path === `body.inputs.${name}`)?.message
  return (
    <form
      ref={element}
      className={classes.body}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      noValidate
    >
      <fieldset className={classes.fields} disabled={isDisabled || isSubmitting}>
        <PendingUploadsContext value={uploads.note}>
          {splitFormContent(form).map((part, index) =>
            part.kind === 'text' ? (
              <Suspense key={index} fallback={<div className={classes.text}>{part.text}</div>}>
                <Markdown text={part.text} isStreaming={false} />
              </Suspense>
            ) : (
              <InputControl
                key={part.field.name}
                field={toInputControl(part.field)}
                value={values[part.field.name] ?? toInputControl(part.field).initial}
                error={getError(part.field.name)}
                onChange={(value) => state.setValues({ ...values, [part.field.name]: value })}
                layout="field"
                upload={upload}
              />
            ),
          )}
        </PendingUploadsContext>
      </fieldset>
      {errorCount > 0 ? (
        <p className={classes.fault} role="alert">
          {t('fieldsWrong', { count: errorCount })}
        </p>
      ) : null}
      {uploads.isSendRefused ? (
        <p className={classes.fault} role="alert">
          {t('uploadsPending')}
        </p>
      ) : null}
      {submitProblem ? (
        <ProblemAlert problem={submitProblem} action={t('submitWhat')} isInForm>
          {['cut', 'late', 'fault'].includes(submitProblem.kind) ? <span>{t('submitUnclear')}</span> : null}
        </ProblemAlert>
      ) : null}
      {state.known?.resumption_risk && !isDisabled ? (
        <ResumptionRiskNote form={form} state={state} risk={state.known.resumption_risk} />
      ) : null}
      <div className={classes.actions}>
        {form.actions.map(({ id, title, style }) => (
          <Button
            key={id}
            {...(BUTTON_STYLES[style] ?? BUTTON_STYLES.default)}
            disabled={isDisabled || (isSubmitting && chosen !== id)}
            loading={isSubmitting && chosen === id}
            onClick={() => state.submit(id)}
          >
            {title}
          </Button>
        ))}
        {primary && !isDisabled ? (
          <small className={classes.keys}>
            {t('submitKeys', { keys: `${MODIFIER_KEY} Enter`, action: primary.title })}
          </small>
        ) : null}
      </div>
    </form>
  )
}

const BUTTON_STYLES: Record<string, { variant: string; color?: string }> = {
  primary: { variant: 'filled' },
  accent: { variant: 'light' },
  default: { variant: 'default' },
  ghost: { variant: 'subtle', color: 'gray' },
}

/** What was typed into a form that was answered otherwise. */
function UnsentInput({ form, state }: { form: RunForm; state: RunFormState }) {
  const t = useMessages(formMessages)
  const { values, submission } = state
  const typed = form.fields.flatMap(({ name, files }): [string, ReactNode][] =>
    values[name] && files === null ? [[name, values[name]]] : [],
  )
  if (submission !== null || typed.length === 0) return null
  return (
    <div className={classes.unsent} role="group" aria-label={t('inputOf')}>
      <p role="status">{t('notSent')}</p>
      <dl className={classes.values}>
        {typed.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={state.discard}>
        {t('discardInput')}
      </Button>
    </div>
  )
}
