import { type ReactNode, Suspense } from 'react'
import { Answer } from './Answer.tsx'
import { Metrics } from './Metrics.tsx'
import { Outputs } from './Outputs.tsx'
import { part } from '../ui/part.tsx'
import { SkeletonRows } from '../ui/SkeletonRows.tsx'
import { useWords } from '../ui/words.ts'
import { runWords } from './messages.ts'
import classes from './Reply.module.css'
import { RunBar } from './RunBar.tsx'
import { SourceCards } from './SourceCards.tsx'
import { Thoughts } from './Thoughts.tsx'
import { OutputFiles } from './timeline/OutputFiles.tsx'
import { RunFigures } from './timeline/RunFigures.tsx'
import { RunWord } from './timeline/RunWord.tsx'
import { ToldNote } from './timeline/ToldNote.tsx'
import { UnknownEvents } from './timeline/UnknownEvents.tsx'
import type { Turn } from './turn.ts'
import { TurnEnd } from './TurnEnd.tsx'
import { TurnFoot } from './TurnFoot.tsx'
import { TurnProblem } from './TurnProblem.tsx'
import { useMay } from '../wire/useMay.ts'
import { ENTRIES } from './entries.ts'

const Flow = part(async () => (await import('./flow/Flow.tsx')).Flow)

export interface ReplyProps {
  turn: Turn
  workspace: string
  /** The source that is selected, by its position. */
  source: number | null
  onCite: (position: number) => void
  onInspect: () => void
  /** Opens the inspector at a node; it is in the URL already, unless more is put there with it. */
  onNode?: (key: string) => void
  onSendAgain: () => void
  onGiveUp: () => void
  /** Stops the run itself, where the platform can (`StopRun`). */
  stop?: ReactNode
  /** Asks the platform how the run ended, where it did not say it (`AskPlatform`). */
  ask?: ReactNode
  /** More that one can do with this answer. */
  deeds?: ReactNode
}

/** What came of a run: how it stands, its words, its sources, its figures. */
export function Reply(props: ReplyProps) {
  const {
    turn,
    workspace,
    source,
    onCite,
    onInspect,
    onNode = onInspect,
    onSendAgain: sendAgain,
    onGiveUp,
    stop,
    ask,
    deeds,
  } = props
  const t = useWords(runWords)
  const { answer, state, frames } = turn
  const onSendAgain = useMay()(ENTRIES[turn.entry]) ? sendAgain : null
  const isWorkflow = turn.entry === 'workflows.run'
  return (
    <article className={classes.reply} aria-label={t('answer')}>
      <RunBar turn={turn} onSendAgain={onSendAgain} onGiveUp={onGiveUp} stop={stop} />
      {ask}
      <ToldNote run={answer.run} />
      <TurnProblem turn={turn} onSendAgain={onSendAgain} />
      <Thoughts thoughts={answer.thoughts} />
      <RunWord run={answer.run} />
      {answer.run.nodes.length > 0 ? (
        <Suspense fallback={<SkeletonRows rows={Math.min(8, answer.run.nodes.length)} height={33} />}>
          <Flow turn={turn} onChoose={onNode} />
        </Suspense>
      ) : null}
      <UnknownEvents events={answer.unknown} />
      {isWorkflow && answer.text === '' && answer.reasoning === '' ? null : <Answer turn={turn} onCite={onCite} />}
      <Outputs run={answer.run} />
      <OutputFiles run={answer.run} />
      <SourceCards sources={answer.sources} workspace={workspace} selected={source} run={turn.run_id} />
      {frames > 0 || answer.text !== '' || state === 'succeeded' ? (
        <TurnFoot text={answer.text} onInspect={onInspect} deeds={deeds}>
          {isWorkflow ? <RunFigures run={answer.run} /> : <Metrics turn={turn} />}
        </TurnFoot>
      ) : null}
      <TurnEnd turn={turn} key={turn.run_id} />
    </article>
  )
}
