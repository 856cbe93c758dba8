import { memo, useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { useRun } from '../../wire/useRun.ts'
import { Answer } from '../../run/Answer.tsx'
import { Metrics } from '../../run/Metrics.tsx'
import { RunBar } from '../../run/RunBar.tsx'
import { SourceCard } from '../../run/SourceCard.tsx'
import { TurnEnd } from '../../run/TurnEnd.tsx'
import { TurnFoot } from '../../run/TurnFoot.tsx'
import classes from './TurnView.module.css'
import { type Question, type Turn, turnOf } from '../../run/turn.ts'
import { TurnProblem } from '../../run/TurnProblem.tsx'

export interface TurnViewProps {
  run_id: string
  /** The server's row, null while only this browser knows of the run. */
  run: Run | null
  workspace: string
  /** The source that is selected in this turn, by its position. */
  source: number | null
  onSource: (run_id: string, position: number) => void
  onInspect: (run_id: string) => void
  onSendAgain: (question: Question) => void
  onGiveUp: (run_id: string, question: Question) => void
}

/** A question and its answer. Drawn again when its own run brings something, and for nothing else. */
export const TurnView = memo(function TurnView(props: TurnViewProps) {
  const { run_id, run, workspace, source, onSource, onInspect, onSendAgain, onGiveUp } = props
  const t = useTranslations('chat')
  const view = useRun(contract.chat.send, run_id, run !== null && isLive(run.status))
  const cite = useCallback((position: number) => onSource(run_id, position), [onSource, run_id])
  const turn = turnOf(run, view)
  if (!turn) return null
  const { question, answer } = turn
  return (
    <section className={classes.turn} aria-label={question.query.slice(0, 80)}>
      <h2 className={classes.hidden}>{t('you')}</h2>
      <div className={classes.question} dir="auto" tabIndex={question.query.length > LONG ? 0 : undefined}>
        {question.query}
      </div>
      <article className={classes.reply} aria-label={t('answer')}>
        <h2 className={classes.hidden}>{t('answer')}</h2>
        <RunBar turn={turn} onSendAgain={() => onSendAgain(question)} onGiveUp={() => onGiveUp(run_id, question)} />
        <TurnProblem turn={turn} onSendAgain={() => onSendAgain(question)} />
        <Answer turn={turn} onCite={cite} />
        {answer.sources.length > 0 ? (
          <div className={classes.sources}>
            {answer.sources.map((one, index) => (
              <SourceCard
                key={index}
                source={one}
                position={one.position ?? index + 1}
                workspace={workspace}
                selected={source === (one.position ?? index + 1)}
              />
            ))}
          </div>
        ) : null}
        {hasFigures(turn) ? (
          <TurnFoot text={answer.text} onInspect={() => onInspect(run_id)}>
            <Metrics turn={turn} />
          </TurnFoot>
        ) : null}
      </article>
      <TurnEnd turn={turn} />
    </section>
  )
})

/** What has brought nothing yet has no figures, and what never reached the platform never will. */
const hasFigures = ({ state, frames, answer }: Turn): boolean =>
  frames > 0 || answer.text !== '' || state === 'succeeded'

/** A question so long that it scrolls can be reached by keyboard. */
const LONG = 600
