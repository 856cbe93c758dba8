import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import type { AnswerState } from '#contract/answer.ts'
import { emptyRun, type RunNode, type RunState } from '#contract/run.ts'
import { paths } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { seconds } from '../figures.ts'
import { answerOf } from '../turn.ts'
import classes from './Changes.module.css'
import { JsonDiff } from './JsonDiff.tsx'
import { comparisonWords } from './messages.ts'
import { counterpartOf } from './nodes.ts'

export interface ParentDiffProps {
  node: RunNode
  run: RunState
  run_id: string
  /** The run that this one was made from. */
  parent: string
}

/** A node beside the same node of the run that this one was made from. */
export function ParentDiff({ node, run, run_id, parent }: ParentDiffProps) {
  const t = useWords(comparisonWords)
  const { data, error, refetch } = useRead(contract.console.readRun, { params: { run_id: parent } })
  if (error && !data)
    return <ProblemNote problem={error.problem} what={t('readParent')} onRetry={() => void refetch()} />
  if (data?.id !== parent) return <SkeletonRows rows={3} />
  const before = data.answer ? answerOf(data.answer as AnswerState | RunState).run : emptyRun
  const was = counterpartOf(node, run, before)
  const whole = <Link to={paths.run(run_id, { workspace: data.workspace, with: parent })}>{t('wholeComparison')}</Link>
  if (!was)
    return (
      <p className={classes.note}>
        {t('notInParent', { id: parent.slice(0, 8) })} {whole}
      </p>
    )
  const took = (time: number | null) =>
    time === null ? t('notGiven') : t('secondsShort', { seconds: seconds(time * 1000) })
  return (
    <div className={classes.parent}>
      <p className={classes.note}>
        {t.rich('nodeInParent', {
          id: parent.slice(0, 8),
          state: () => <StateBadge key="state" word={was.status} plain />,
          before: took(was.elapsed_time),
          after: took(node.elapsed_time),
        })}{' '}
        {whole}
      </p>
      {was.error !== node.error ? (
        <section aria-label={t('error')}>
          <h3>{t('error')}</h3>
          <JsonDiff before={was.error} after={node.error} label={t('error')} />
        </section>
      ) : null}
      <section aria-label={t('inputs')}>
        <h3>{t('inputs')}</h3>
        <JsonDiff before={was.inputs} after={node.inputs} label={t('inputs')} />
      </section>
      <section aria-label={t('outputs')}>
        <h3>{t('outputs')}</h3>
        <JsonDiff before={was.outputs} after={node.outputs} label={t('outputs')} />
      </section>
    </div>
  )
}
