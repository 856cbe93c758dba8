import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { memo, useCallback } from 'react'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useRun } from '../../wire/useRun.ts'
import { Annotate } from '../../run/annotate/Annotate.tsx'
import { Answer } from '../../run/Answer.tsx'
import { Metrics } from '../../run/Metrics.tsx'
import { RunBar } from '../../run/RunBar.tsx'
import { SourceCards } from '../../run/SourceCards.tsx'
import { StopRun } from '../../run/StopRun.tsx'
import { isOver, type Question, type Turn, turnOf } from '../../run/turn.ts'
import { TurnEnd } from '../../run/TurnEnd.tsx'
import { TurnFoot } from '../../run/TurnFoot.tsx'
import { TurnProblem } from '../../run/TurnProblem.tsx'
import { Branches } from './Branches.tsx'
import { Feedback } from './Feedback.tsx'
import { Nodes } from '../../run/Nodes.tsx'
import { QuestionView } from './QuestionView.tsx'
import { Suggested } from './Suggested.tsx'
import { Thoughts } from '../../run/Thoughts.tsx'
import { useWords } from '../../ui/words.ts'
import { chatWords } from './messages.ts'
import classes from './TurnView.module.css'

/** What can be done with a turn. */
export interface Deeds {
  onSource: (run_id: string, position: number) => void
  onInspect: (run_id: string) => void
  /** Asks a question once more, in its own or in other words, as a branch of the turn of this run. */
  onAgain: (run_id: string, question: Question, query?: string) => void
  onGiveUp: (run_id: string, question: Question) => void
  onBranch: (branches: readonly string[], run_id: string) => void
  onEdit: (edit: { run_id: string; query: string } | null) => void
  onSuggestion: (question: string) => void
}

export interface TurnViewProps {
  run_id: string
  /** The server's row, null while only this browser knows of the run. */
  run: Run | null
  /** The tries of this turn, oldest first, joined by commas: one of them is shown. */
  branches: string
  workspace: string
  app: Key
  /** The source that is selected in this turn, by its position. */
  source: number | null
  /** The new wording while the question is edited. */
  edited: string | null
  /** What the platform tells of a person's word on the answer. */
  rating: string | null
  /** True for the newest turn of an app that suggests what to ask next. */
  suggests: boolean
  deeds: Deeds
  /** Whether the person may ask, and so ask again. */
  mayAsk: boolean
}

/** A question and its answer. Drawn again when its own run brings something, and for nothing else. */
export const TurnView = memo(function TurnView(props: TurnViewProps) {
  const { run_id, run, branches, workspace, app, source, edited, rating, suggests, deeds, mayAsk } = props
  const t = useWords(chatWords)
  const view = useRun(contract.chat.send, run_id, run !== null && isLive(run.status))
  const { onSource } = deeds
  const cite = useCallback((position: number) => onSource(run_id, position), [onSource, run_id])
  const turn = turnOf(run, view)
  if (!turn) return null
  const { question, answer, state } = turn
  const { user } = question
  const over = isOver(turn)
  const tries = branches.split(',')
  const again = mayAsk ? () => deeds.onAgain(run_id, question) : null
  return (
    <section className={classes.turn} aria-label={question.query.slice(0, 80)}>
      <h2 className={classes.hidden}>{t('you')}</h2>
      <QuestionView
        question={question}
        edited={edited}
        onEdit={over && mayAsk ? (query) => deeds.onEdit(query === null ? null : { run_id, query }) : null}
        onResend={(query) => deeds.onAgain(run_id, question, query)}
      />
      {tries.length > 1 ? <Branches runs={tries} shown={run_id} onBranch={(to) => deeds.onBranch(tries, to)} /> : null}
      <article className={classes.reply} aria-label={t('answer')}>
        <h2 className={classes.hidden}>{t('answer')}</h2>
        <RunBar
          turn={turn}
          onSendAgain={again}
          onGiveUp={() => deeds.onGiveUp(run_id, question)}
          stop={<StopRun app={app} by="stopChat" task_id={answer.task_id} user={user} />}
        />
        <TurnProblem turn={turn} onSendAgain={again} />
        <Thoughts thoughts={answer.thoughts} />
        <Nodes run={answer.run} />
        <Answer turn={turn} onCite={cite} />
        <SourceCards sources={answer.sources} workspace={workspace} selected={source} run={run_id} />
        {hasFigures(turn) ? (
          <TurnFoot
            text={answer.text}
            onInspect={() => deeds.onInspect(run_id)}
            deeds={
              over ? (
                <>
                  {answer.message_id && app.offers.includes('feedback') ? (
                    <Feedback app={app.id} message_id={answer.message_id} user={user} rating={rating} />
                  ) : null}
                  <Annotate turn={turn} app={app} workspace={workspace} />
                  {again ? (
                    <Tooltip label={t('regenerate')}>
                      <ActionIcon data-once aria-label={t('regenerate')} onClick={again}>
                        <IconRefresh size={15} />
                      </ActionIcon>
                    </Tooltip>
                  ) : null}
                </>
              ) : null
            }
          >
            <Metrics turn={turn} />
          </TurnFoot>
        ) : null}
        {suggests && state === 'succeeded' && answer.message_id ? (
          <Suggested app={app.id} message_id={answer.message_id} user={user} onSuggestion={deeds.onSuggestion} />
        ) : null}
      </article>
      <TurnEnd turn={turn} />
    </section>
  )
})

/** What has brought nothing yet has no figures, and what never reached the platform never will. */
const hasFigures = ({ state, frames, answer }: Turn): boolean =>
  frames > 0 || answer.text !== '' || state === 'succeeded'
