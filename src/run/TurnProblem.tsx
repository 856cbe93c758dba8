import { Button } from '@mantine/core'
import { IconRotateClockwise } from '@tabler/icons-react'
import type { Problem } from '#contract/problem.ts'
import { ProblemNote } from '../ui/ProblemNote.tsx'
import { type Say, useWords } from '../ui/words.ts'
import { runWords } from './messages.ts'
import type { Turn } from './turn.ts'

/** Why a run failed, in the platform's own words. What came before stays below. */
export function TurnProblem({ turn, onSendAgain }: { turn: Turn; onSendAgain: (() => void) | null }) {
  const t = useWords(runWords)
  if (turn.state !== 'failed' && turn.state !== 'refused') return null
  return (
    <ProblemNote problem={problemOf(turn, t('failedRun'))} what={t('answerWhat')} {...titleOf(turn, t)}>
      {onSendAgain ? (
        <Button variant="default" data-once leftSection={<IconRotateClockwise size={14} />} onClick={onSendAgain}>
          {t('sendAgain')}
        </Button>
      ) : null}
    </ProblemNote>
  )
}

/** What became of the answer; a refusal of the whole request has the common title. */
function titleOf({ entry, problem, answer, frames }: Turn, t: Say<typeof runWords>): { title?: string } {
  if (entry === 'workflows.run') return problem ? {} : { title: t('failedRun') }
  const isEmpty = answer.text === ''
  if (problem?.kind === 'refused' || problem?.kind === 'invalid' || problem?.kind === 'denied') return {}
  if (problem) return { title: t(isEmpty ? 'noAnswer' : 'noAnswerMore') }
  return frames === 0 ? {} : { title: t(isEmpty ? 'errorEvent' : 'errorEventLater') }
}

/** The problem of the call, else what the stream itself said: an error event, or a workflow that failed. */
function problemOf({ problem, answer }: Turn, otherwise: string): Problem {
  if (problem) return problem
  const said = answer.problem ?? answer.run.problem
  if (said) {
    const { status, code, message } = said
    return {
      kind: 'refused',
      message: message ?? code ?? otherwise,
      upstream: { status: status ?? 200, body: { code, message, status } },
    }
  }
  return { kind: 'refused', message: answer.run.error ?? otherwise }
}
