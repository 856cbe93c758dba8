import { isSuccessStatus } from '#contract/console/runs.ts'
import { collectSources } from '#domain/answer/collectSources.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { JsonDiff, SourceDiff } from '../../runs/compare/ChangeLists.tsx'
import { isTurnOver, type Turn } from '../../runs/turn.ts'
import { TextDiff } from '../../../components/data/textDiff/TextDiff.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from '../Board.module.css'
import { boardMessages } from '../messages.ts'

export interface CellDiffProps {
  /** The baseline's run, null while it has none. */
  baseline: Turn | null
  letter: string
  turn: Turn
}

/** How an answer differs from the baseline's: question and inputs if different, text or outputs, sources. */
export function CellDiff({ baseline, letter, turn }: CellDiffProps) {
  const t = useMessages(boardMessages)
  if (!baseline) return <p className={classes.note}>{t('noBaselineRun')}</p>
  if (!isTurnOver(baseline)) return <p className={classes.note}>{t('whenOver')}</p>
  const [before, after] = [baseline.answer, turn.answer]
  const hasOutputs = before.run.outputs !== null || after.run.outputs !== null
  const hasText = before.text !== '' || after.text !== ''
  const otherInputs = JSON.stringify(baseline.question.inputs) !== JSON.stringify(turn.question.inputs)
  const otherQuestion = baseline.entry === turn.entry && baseline.question.query !== turn.question.query
  return (
    <div className={classes.diff}>
      <h3>
        {t('toBaseline', { letter })} {isSuccessStatus(turn.state) ? null : <StatusBadge status={turn.state} />}
      </h3>
      {otherQuestion && turn.entry === 'chat.send' ? (
        <TextDiff before={baseline.question.query} after={turn.question.query} label={t('question')} />
      ) : null}
      {otherInputs && baseline.entry === turn.entry ? (
        <JsonDiff before={baseline.question.inputs} after={turn.question.inputs} label={t('inputs')} />
      ) : null}
      {hasText || !hasOutputs ? (
        <TextDiff before={toComparableText(before)} after={toComparableText(after)} label={t('answer')} />
      ) : null}
      {before.run.outputs !== null && after.run.outputs !== null ? (
        <JsonDiff before={before.run.outputs} after={after.run.outputs} label={t('outputs')} />
      ) : null}
      <SourceDiff before={collectSources(before)} after={collectSources(after)} />
    </div>
  )
}

/** A workflow without text answers with its outputs: they are compared with the text of another app. */
function toComparableText({ text, run }: Turn['answer']): string {
  if (text !== '' || run.outputs === null || run.outputs === undefined) return text
  return typeof run.outputs === 'string' ? run.outputs : JSON.stringify(run.outputs, null, 2)
}
