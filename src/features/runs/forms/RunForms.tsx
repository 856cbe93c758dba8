import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, Suspense, useEffect, useId } from 'react'
import { type RunForm, formEndpoints } from '#contract/console/forms.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { listRunForms, splitFormContent } from '#domain/workflowRun/runForms.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { isSubmitShortcut, MODIFIER_KEY } from '../../../components/hooks/modifierKey.ts'
import { useHasPassed } from '../../../components/hooks/useHasPassed.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { invalidateTags, useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { runStore } from '../../../client/useRun.ts'
import { formatFieldError } from '../inputs/inputFields.ts'
import { InputControl } from '../inputs/InputControl.tsx'
import { PendingUploadsContext } from '../inputs/pendingUploads.ts'
import { inputMessages } from '../inputs/messages.ts'
import { useFocusInvalid } from '../inputs/useFocusInvalid.ts'
import type { Turn } from '../turn.ts'
import { FormOutcomeNote, ResumptionRiskNote, ScheduledAnswerNote, UnsentInput } from './FormNotes.tsx'
import { formMessages } from './messages.ts'
import { findPrimaryAction, type RunFormState, toInputControl, useRunForm } from './useRunForm.ts'
import blocks from '../../../components/layout/Blocks.module.css'

const Markdown = lazyWithPreload(async () => (await import('../../../components/markdown/Markdown.tsx')).Markdown)

/** Poll interval (ms) of a paused run that is on the screen. */
const PAUSED_POLL_INTERVAL_MS = 2_500

/** The human input forms of a run: those that it waits for, and how the others were answered. */
export function RunForms({ turn, app }: { turn: Turn; app: Pick<Key, 'id' | 'offers'> | null }) {
  const t = useMessages(formMessages)
  useResumption(turn)
  const forms = listRunForms(turn.answer.run)
  if (forms.length === 0) return null
  return (
    <Stack gap="md" miw={0}>
      {forms.map((form) =>
        // The question of an agent app belongs to its message: no workflow is paused.
        form.node_id !== null && form.node_id === turn.answer.message_id ? (
          <Paper component="section" key={form.form_id} radius="md" p="md" role="note">
            <Text component="h3" fw={600} mb="xs" dir="auto">
              {t('agentQuestion', { title: form.node_title })}
            </Text>
            <Text size="sm">{t('agentQuestionText')}</Text>
          </Paper>
        ) : (
          <RunFormCard key={form.form_id} turn={turn} app={app} form={form} />
        ),
      )}
    </Stack>
  )
}

/**
 * Notices that a paused run continues, even if it was answered outside this console: its frames are watched again
 * from the last one, and cached data is read again.
 */
function useResumption({ run_id, state, frames }: Turn): void {
  const client = useQueryClient()
  const isPaused = state === 'paused'
  const { data } = useRead(
    runEndpoints.readRun,
    { params: { run_id } },
    { enabled: isPaused, pollIntervalMs: isPaused ? PAUSED_POLL_INTERVAL_MS : false },
  )
  // A row that was read before the pause does not have its frames.
  const status = isPaused && data && data.frames >= frames ? data.status : 'paused'
  useEffect(() => {
    if (status === 'paused') return
    if (isActiveStatus(status)) runStore.continueWatching(run_id)
    void invalidateTags(client, ['runs'])
  }, [client, run_id, status])
}

interface RunFormCardProps {
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
  const obstacle = getObstacle()
  return (
    <Paper
      component="section"
      radius="md"
      p="md"
      miw={0}
      bd={isOpen ? '1px solid var(--paused-solid)' : undefined}
      aria-labelledby={titleId}
    >
      <Group gap="sm" justify="space-between">
        <Text component="h3" fw={600} id={titleId} dir="auto">
          {t('form', { title: form.node_title })}
        </Text>
        {isAnswered || hasExpired ? null : (
          <Group gap={4} fz="sm" c="dimmed">
            <IconClock size={14} aria-hidden="true" />
            {form.expires_at === null
              ? t('neverExpires')
              : t.rich('expires', { at: () => <RelativeTime at={form.expires_at} /> })}
          </Group>
        )}
      </Group>
      {isAnswered ? <FormOutcomeNote form={form} state={state} isRunning={turn.state === 'paused'} /> : null}
      {hasExpired ? (
        <Text size="sm" role="status">
          {form.expires_at === null
            ? t('expiredNoTime')
            : t.rich('expired', { at: () => <RelativeTime at={form.expires_at} /> })}
        </Text>
      ) : null}
      {isAnswered || hasExpired ? (
        <UnsentInput form={form} state={state} />
      ) : (
        <>
          {obstacle ? (
            <Text size="sm" role="status">
              {obstacle}
            </Text>
          ) : null}
          {held ? <ScheduledAnswerNote form={form} state={state} held={held} canCancel={canAnswer} /> : null}
          {held && !held.problem ? null : (
            <FormBody turn={turn} app={app} form={form} state={state} isDisabled={!isOpen || !canAnswer} />
          )}
        </>
      )}
      {state.readProblem && !known && form.is_pending ? (
        <ProblemAlert problem={state.readProblem} action={t('readWhat')} onRetry={state.retryRead} />
      ) : null}
    </Paper>
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
  const element = useFocusInvalid<HTMLDivElement>(errors)
  const primary = findPrimaryAction(form)
  const errorCount = Object.keys(errors).length
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmitShortcut(event) || !primary || isDisabled) return
    event.preventDefault()
    state.submit(primary.id)
  }
  // Each action sends by its own button; the problem of a submission has a note of its own.
  const controls = { submit: () => undefined }
  const user = turn.question.user
  const upload = app?.offers.includes('uploadFile') ? { key: app.id, user } : null
  const fieldProblems = submitProblem?.fields ?? []
  const getError = (name: string) =>
    errors[name]
      ? formatFieldError(tRun, errors[name])
      : fieldProblems.find(({ path }) => path === `body.inputs.${name}`)?.message
  return (
    <div ref={element} onKeyDown={onKeyDown}>
      <InlineForm form={controls} action={t('submitWhat')}>
        <fieldset disabled={isDisabled || isSubmitting}>
          <Stack gap="md">
            <PendingUploadsContext value={uploads.note}>
              {splitFormContent(form).map((part, index) =>
                part.kind === 'text' ? (
                  <Suspense key={index} fallback={<div className={blocks.asWritten}>{part.text}</div>}>
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
          </Stack>
        </fieldset>
        {errorCount > 0 ? (
          <Text size="sm" c="var(--failed-fg)" role="alert">
            {t('fieldsWrong', { count: errorCount })}
          </Text>
        ) : null}
        {uploads.isSendRefused ? (
          <Text size="sm" c="var(--failed-fg)" role="alert">
            {t('uploadsPending')}
          </Text>
        ) : null}
        {submitProblem ? (
          <ProblemAlert problem={submitProblem} action={t('submitWhat')} isInForm>
            {['cut', 'late', 'fault'].includes(submitProblem.kind) ? <span>{t('submitUnclear')}</span> : null}
          </ProblemAlert>
        ) : null}
        {state.known?.resumption_risk && !isDisabled ? (
          <ResumptionRiskNote form={form} state={state} risk={state.known.resumption_risk} />
        ) : null}
        <Group gap="sm">
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
            <Text span size="xs" c="var(--text-3)" visibleFrom="xs">
              {t('submitKeys', { keys: `${MODIFIER_KEY} Enter`, action: primary.title })}
            </Text>
          ) : null}
        </Group>
      </InlineForm>
    </div>
  )
}

const BUTTON_STYLES: Record<string, { variant: string; color?: string }> = {
  primary: { variant: 'filled' },
  accent: { variant: 'light' },
  default: { variant: 'default' },
  ghost: { variant: 'subtle', color: 'gray' },
}
