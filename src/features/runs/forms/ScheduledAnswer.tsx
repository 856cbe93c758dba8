import { Button, Checkbox } from '@mantine/core'
import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { RunForm, ResumptionRisk, ScheduledAnswer } from '#contract/console/forms.ts'
import { formatTime } from '#domain/dateFormat.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { formMessages } from './messages.ts'
import classes from './RunForms.module.css'
import type { RunFormState } from './useRunForm.ts'

/** That the platform may abort the run if it is answered now, and the choice to have the answer sent later. */
export function ResumptionRiskNote({
  form,
  state,
  risk,
}: {
  form: RunForm
  state: RunFormState
  risk: ResumptionRisk
}) {
  const t = useMessages(formMessages)
  const time = formatTime(risk.until)
  const expiresBefore = form.expires_at !== null && form.expires_at <= risk.until
  return (
    <div className={classes.risk} role="note">
      <p>
        <IconAlertTriangle size={14} aria-hidden="true" />{' '}
        {t.rich(risk.has_happened ? 'riskSeen' : 'riskPossible', { b: bold, time })}
      </p>
      {expiresBefore ? (
        <p>{t('expiresBefore')}</p>
      ) : (
        <Checkbox
          size="xs"
          label={t('sendLater', { time })}
          description={t('sendLaterHint')}
          checked={state.isSentLater}
          onChange={({ currentTarget }) => state.setSentLater(currentTarget.checked)}
        />
      )}
    </div>
  )
}

/** An answer that the server holds, or why it could not be sent. */
export function ScheduledAnswerNote({
  form,
  state,
  held,
  canCancel,
}: {
  form: RunForm
  state: RunFormState
  held: ScheduledAnswer
  canCancel: boolean
}) {
  const t = useMessages(formMessages)
  const action = form.actions.find(({ id }) => id === held.action)?.title ?? held.action
  if (held.problem) return <ProblemAlert problem={held.problem} action={t('scheduledWhat')} />
  return (
    <div className={classes.risk} role="status">
      <p>
        <IconClock size={14} aria-hidden="true" />{' '}
        {t.rich(held.person === null ? 'heldUnknown' : 'held', {
          b: bold,
          action,
          person: held.person ?? '',
          time: formatTime(held.at),
        })}
      </p>
      <dl className={classes.values}>
        {Object.entries(held.inputs).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
      {canCancel ? (
        <Button variant="default" size="compact-sm" loading={state.isCancelling} onClick={() => state.cancel(held)}>
          {t('cancelScheduled')}
        </Button>
      ) : null}
      {state.cancelProblem ? <ProblemAlert problem={state.cancelProblem} action={t('cancelWhat')} isInForm /> : null}
    </div>
  )
}

const bold = (words: ReactNode) => <b>{words}</b>
