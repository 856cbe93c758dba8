import { Button, Checkbox, Flex, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { RunForm, ResumptionRisk, ScheduledAnswer } from '#contract/console/forms.ts'
import { formatTime } from '#domain/dateFormat.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { formMessages } from './messages.ts'
import type { RunFormState } from './useRunForm.ts'
import blocks from '../../../components/layout/Blocks.module.css'

interface FormNoteProps {
  form: RunForm
  state: RunFormState
}

/** Who answered a form, when, and what: from the ledger if it was answered here, otherwise from the run's own frames. */
export function FormOutcomeNote({
  form,
  state: { known, submission },
  isRunning,
}: FormNoteProps & {
  /** The page does not know yet that the run continues. */
  isRunning: boolean
}) {
  const t = useMessages(formMessages)
  const answer = submission?.answer ?? known?.answer ?? null
  const { outcome } = form
  return (
    <>
      <Text size="sm" role="status">
        {getSentence()} {isRunning ? t('goesOn') : null}
      </Text>
      {submission?.result === 'probably_accepted' ? <Text size="sm">{t('probably')}</Text> : null}
      <ValueList values={answer?.inputs ?? outcome?.inputs ?? {}} />
    </>
  )

  function getSentence(): ReactNode {
    if (answer) {
      const values = {
        b: bold,
        at: () => <RelativeTime at={answer.at} />,
        action: getActionTitle(form, answer.action),
        person: answer.person ?? '',
      }
      return t.rich(answer.person === null ? 'answeredHereUnknown' : 'answeredHere', values)
    }
    if (!known && !outcome) return null
    const action = outcome?.action_title ?? (outcome?.action_id ? getActionTitle(form, outcome.action_id) : 'none')
    return t.rich('answeredElsewhere', { b: bold, action })
  }
}

/** What was typed into a form that was answered otherwise. */
export function UnsentInput({ form, state: { values, submission, discard } }: FormNoteProps) {
  const t = useMessages(formMessages)
  const typed = form.fields.flatMap(({ name, files }) =>
    values[name] && files === null ? [[name, values[name]] as const] : [],
  )
  if (submission !== null || typed.length === 0) return null
  return (
    <Stack
      gap="sm"
      align="start"
      py="sm"
      className={blocks.noted}
      data-tone="paused"
      role="group"
      aria-label={t('inputOf')}
    >
      <Text size="sm" role="status">
        {t('notSent')}
      </Text>
      <ValueList values={Object.fromEntries(typed)} />
      <Button variant="subtle" color="gray" size="compact-sm" onClick={discard}>
        {t('discardInput')}
      </Button>
    </Stack>
  )
}

/** That the platform may abort the run if it is answered now, and the choice to have the answer sent later. */
export function ResumptionRiskNote({ form, state, risk }: FormNoteProps & { risk: ResumptionRisk }) {
  const t = useMessages(formMessages)
  const time = formatTime(risk.until)
  const expiresBefore = form.expires_at !== null && form.expires_at <= risk.until
  return (
    <Stack gap="sm" align="start" py="sm" className={blocks.noted} data-tone="paused" role="note">
      <Text size="sm">
        <IconAlertTriangle size={14} aria-hidden="true" />{' '}
        {t.rich(risk.has_happened ? 'riskSeen' : 'riskPossible', { b: bold, time })}
      </Text>
      {expiresBefore ? (
        <Text size="sm">{t('expiresBefore')}</Text>
      ) : (
        <Checkbox
          size="xs"
          label={t('sendLater', { time })}
          description={t('sendLaterHint')}
          checked={state.isSentLater}
          onChange={({ currentTarget }) => state.setSentLater(currentTarget.checked)}
        />
      )}
    </Stack>
  )
}

/** An answer that the server holds, or why it could not be sent. */
export function ScheduledAnswerNote({
  form,
  state,
  held,
  canCancel,
}: FormNoteProps & { held: ScheduledAnswer; canCancel: boolean }) {
  const t = useMessages(formMessages)
  if (held.problem) return <ProblemAlert problem={held.problem} action={t('scheduledWhat')} />
  return (
    <Stack gap="sm" align="start" py="sm" className={blocks.noted} data-tone="paused" role="status">
      <Text size="sm">
        <IconClock size={14} aria-hidden="true" />{' '}
        {t.rich(held.person === null ? 'heldUnknown' : 'held', {
          b: bold,
          action: getActionTitle(form, held.action),
          person: held.person ?? '',
          time: formatTime(held.at),
        })}
      </Text>
      <ValueList values={held.inputs} />
      {canCancel ? (
        <Button variant="default" size="compact-sm" loading={state.isCancelling} onClick={() => state.cancel(held)}>
          {t('cancelScheduled')}
        </Button>
      ) : null}
      {state.cancelProblem ? <ProblemAlert problem={state.cancelProblem} action={t('cancelWhat')} isInForm /> : null}
    </Stack>
  )
}

function ValueList({ values }: { values: Record<string, unknown> }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return null
  return (
    <Flex component="dl" direction="column" gap="xs">
      {entries.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="var(--text-3)">
            {name}
          </Text>
          <Text component="dd" size="sm" className={blocks.asWritten} dir="auto">
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Text>
        </div>
      ))}
    </Flex>
  )
}

const getActionTitle = ({ actions }: RunForm, id: string): string =>
  actions.find((action) => action.id === id)?.title ?? id

const bold = (words: ReactNode) => <b>{words}</b>
