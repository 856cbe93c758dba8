import { Button } from '@mantine/core'
import { IconRotateClockwise } from '@tabler/icons-react'
import type { Problem } from '#contract/problem.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { type Translate, useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from './messages.ts'
import type { Turn } from '../turn.ts'

/** Why a run failed, with the platform's message. The partial answer stays below. */
export function TurnProblem({ turn, onSendAgain }: { turn: Turn; onSendAgain: (() => void) | null }) {
  const t = useMessages(runMessages)
  if (turn.state !== 'failed' && turn.state !== 'refused') return null
  return (
    <ProblemAlert problem={toTurnProblem(turn, t('failedRun'))} action={t('answerWhat')} {...getProblemTitle(turn, t)}>
      {onSendAgain ? (
        <Button variant="default" data-once leftSection={<IconRotateClockwise size={14} />} onClick={onSendAgain}>
          {t('sendAgain')}
        </Button>
      ) : null}
    </ProblemAlert>
  )
}

/** The effect on the answer; a rejected request has the common title. */
function getProblemTitle(
  { entry, problem, answer, frames }: Turn,
  t: Translate<typeof runMessages>,
): { title?: string } {
  if (entry === 'workflows.run') return problem ? {} : { title: t('failedRun') }
  const isEmpty = answer.text === ''
  if (problem?.kind === 'refused' || problem?.kind === 'invalid' || problem?.kind === 'denied') return {}
  if (problem) return { title: t(isEmpty ? 'noAnswer' : 'noAnswerMore') }
  return frames === 0 ? {} : { title: t(isEmpty ? 'errorEvent' : 'errorEventLater') }
}

/** The problem of the call, else the error of the stream: an error event, or a failed workflow. */
function toTurnProblem({ problem, answer }: Turn, fallback: string): Problem {
  if (problem) return problem
  const streamProblem = answer.problem ?? answer.run.problem
  if (streamProblem) {
    const { status, code, message } = streamProblem
    return {
      kind: 'refused',
      message: message ?? code ?? fallback,
      upstream: { status: status ?? 200, body: { code, message, status } },
    }
  }
  return { kind: 'refused', message: answer.run.error ?? fallback }
}
