import { Button, Group } from '@mantine/core'
import { IconRotateClockwise } from '@tabler/icons-react'
import { explainErrorCode, readInputRefusal } from '#domain/platformErrors/readPlatformError.ts'
import { ABORTED_RESUMPTION_MESSAGE } from '#domain/workflowRun/abortedResumption.ts'
import type { Problem } from '#contract/problem.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { type Translate, useMessages } from '../../../components/i18n/useMessages.ts'
import { getRunPath } from '../runEntries.ts'
import { runMessages } from './messages.ts'
import type { Turn } from '../turn.ts'

export interface TurnProblemProps {
  turn: Turn
  /** The key that it was sent with, where it is known. */
  app?: Pick<Key, 'label' | 'hint'>
  onSendAgain: (() => void) | null
}

/** Why a run failed, with the platform's message. The partial answer stays below. */
export function TurnProblem({ turn, app, onSendAgain }: TurnProblemProps) {
  const t = useMessages(runMessages)
  if (turn.state !== 'failed' && turn.state !== 'refused') return null
  return (
    <ProblemAlert problem={toTurnProblem(turn, t('failedRun'))} action={t('answerWhat')} {...getProblemTitle(turn, t)}>
      {onSendAgain ? (
        <Button variant="default" data-once leftSection={<IconRotateClockwise size={14} />} onClick={onSendAgain}>
          {t('sendAgain')}
        </Button>
      ) : null}
      {app && isRejected(turn) ? (
        <Group gap="xs" fz="sm" c="dimmed">
          <code>POST {getRunPath(turn.entry, turn.question.pinned_workflow_id)}</code>
          <span>{t('withKey', { label: app.label, hint: app.hint ? ` …${app.hint}` : '' })}</span>
          {turn.duration_ms === null ? null : (
            <span>{t('secondsShort', { seconds: formatSeconds(turn.duration_ms) })}</span>
          )}
        </Group>
      ) : null}
    </ProblemAlert>
  )
}

/** The request itself was refused or failed: no frame was received. */
const isRejected = ({ frames, problem }: Turn): boolean => frames === 0 && problem?.upstream !== undefined

/** The effect on the answer; a rejected request has the common title. */
function getProblemTitle(
  { entry, state, problem, answer, frames }: Turn,
  t: Translate<typeof runMessages>,
): { title?: string } {
  if (state === 'refused' && readInputRefusal(problem?.message ?? '')) return { title: t('refusedInputs') }
  if (problem?.message.startsWith(ABORTED_RESUMPTION_MESSAGE)) return { title: t('abortedResumption') }
  if (entry === 'workflows.run') return problem ? {} : { title: t('failedRun') }
  const isEmpty = answer.text === ''
  if (!problem && answer.run.status === 'failed')
    return { title: t(isEmpty ? 'failedWorkflow' : 'failedWorkflowLater') }
  if (problem?.kind === 'refused' || problem?.kind === 'invalid' || problem?.kind === 'denied') return {}
  if (problem) return { title: t(isEmpty ? 'noAnswer' : 'noAnswerMore') }
  return frames === 0 ? {} : { title: t(isEmpty ? 'errorEvent' : 'errorEventLater') }
}

/** The problem of the call, else the error of the stream: an error event, or a failed workflow. */
function toTurnProblem({ problem, answer, state }: Turn, fallback: string): Problem {
  // A refused form has no status: of two releases one answers 400, the other a stream.
  if (problem && state === 'refused' && readInputRefusal(problem.message))
    return { kind: 'refused', message: problem.message }
  if (problem) return problem
  const streamProblem = answer.problem ?? answer.run.problem
  if (streamProblem) {
    const { status, code, message } = streamProblem
    return {
      kind: 'refused',
      message: explainErrorCode(code, message) ?? message ?? code ?? fallback,
      ...(status === null && code === null
        ? {}
        : { upstream: { status: status ?? 200, body: { code, message, status } } }),
    }
  }
  return { kind: 'refused', message: answer.run.error ?? fallback }
}
