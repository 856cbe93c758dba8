import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Run } from '#contract/runs.ts'
import { Id } from '#contract/endpoint.ts'
import { paths } from '../../paths.ts'
import { ParametersChanged } from '../../run/ParametersChanged.tsx'
import { isOver, type Turn } from '../../run/turn.ts'
import { useTurn } from '../../run/useTurn.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { ChooseOther } from './ChooseOther.tsx'
import classes from './Comparison.module.css'
import { FigureDiff } from './FigureDiff.tsx'
import { JsonDiff } from '../../run/compare/JsonDiff.tsx'
import { NodesDiff } from '../../run/compare/NodesDiff.tsx'
import run from './Run.module.css'
import { sourcesOf } from '../../run/compare/sources.ts'
import { SourceDiff } from '../../run/compare/SourceDiff.tsx'
import { useWords } from '../../ui/words.ts'
import { runsWords } from './messages.ts'

export interface ComparisonProps {
  run_id: string
  turn: Turn
  /** The server's row, null while only this browser knows of the run. */
  row: Run | null
  /** The run that it is compared with, by its id; anything else asks which. */
  other: string
  workspace: string
}

/** A run beside an earlier one: what was sent, what came, what it took. */
export function Comparison({ run_id, turn, row, other, workspace }: ComparisonProps) {
  const t = useWords(runsWords)
  const id = Id.safeParse(other)
  const { turn: before, isLoading, problem, retry } = useTurn(id.success ? id.data.toLowerCase() : null)
  if (!id.success || id.data.toLowerCase() === run_id)
    return <ChooseOther run_id={run_id} entry={row?.entry ?? turn.entry} workspace={workspace} />
  const choose = (
    <Button variant="default" component={Link} to={paths.run(run_id, { workspace, with: 'choose' })}>
      {t('chooseOther')}
    </Button>
  )
  if (problem)
    return (
      <ProblemNote problem={problem} what={t('readOther', { id: other.slice(0, 8) })} onRetry={retry}>
        {choose}
      </ProblemNote>
    )
  if (isLoading || !before) return <SkeletonRows rows={5} height={72} />
  const areOver = isOver(before) && isOver(turn)
  const [outBefore, outAfter] = [before.answer.run.outputs, turn.answer.run.outputs]
  const hasOutputs = outBefore !== null || outAfter !== null
  const hasText = before.answer.text !== '' || turn.answer.text !== ''
  return (
    <div className={run.result}>
      <div className={run.deeds}>
        <p className={run.note}>
          {t.rich('comparing', {
            earlier: () => <Link to={paths.run(before.run_id, { workspace })}>{before.run_id.slice(0, 8)}</Link>,
            later: () => <code>{run_id.slice(0, 8)}</code>,
          })}
        </p>
        {choose}
        <Button
          variant="subtle"
          color="gray"
          component={Link}
          to={paths.run(before.run_id, { workspace, with: run_id })}
        >
          {t('swap')}
        </Button>
      </div>
      {row ? (
        <ParametersChanged workspace={row.workspace} app={row.key} since={before.sent_at} until={turn.sent_at} />
      ) : null}
      <Part title={t('figures')}>
        <div className={classes.table}>
          <FigureDiff before={before} after={turn} />
        </div>
      </Part>
      {turn.entry === 'chat.send' && before.entry === 'chat.send' ? (
        <Part title={t('question')}>
          <TextDiff before={before.question.query} after={turn.question.query} label={t('question')} />
        </Part>
      ) : null}
      <Part title={t('inputs')}>
        <JsonDiff before={before.question.inputs} after={turn.question.inputs} label={t('inputs')} />
      </Part>
      {hasText || !hasOutputs ? (
        <Part title={t('answer')}>
          {areOver ? (
            <TextDiff before={before.answer.text} after={turn.answer.text} label={t('answer')} />
          ) : (
            <p className={run.note}>{t('whenOver')}</p>
          )}
        </Part>
      ) : null}
      {hasOutputs ? (
        <Part title={t('outputs')}>
          <JsonDiff before={outBefore} after={outAfter} label={t('outputs')} />
        </Part>
      ) : null}
      {before.answer.run.nodes.length > 0 || turn.answer.run.nodes.length > 0 ? (
        <Part title={t('nodes')}>
          {areOver ? (
            <NodesDiff before={before.answer.run} after={turn.answer.run} />
          ) : (
            <p className={run.note}>{t('whenOver')}</p>
          )}
        </Part>
      ) : null}
      <Part title={t('sources')}>
        <SourceDiff before={sourcesOf(before.answer)} after={sourcesOf(turn.answer)} />
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className={run.head}>{title}</h2>
      {children}
    </section>
  )
}
