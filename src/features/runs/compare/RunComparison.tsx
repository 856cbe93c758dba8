import { Button, Group, Paper, Stack } from '@mantine/core'
import { Link } from 'react-router'
import type { Run } from '#contract/console/runs.ts'
import { Id } from '#contract/endpoint.ts'
import { collectSources } from '#domain/answer/collectSources.ts'
import { paths } from '#domain/paths.ts'
import { formatPrice } from '#domain/metricFormat.ts'
import { JsonDiff, ParametersChanged, SourceDiff } from './ChangeLists.tsx'
import { isTurnOver, type Turn } from '../turn.ts'
import { useTurn } from '../useTurn.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { TextDiff } from '../../../components/data/textDiff/TextDiff.tsx'
import { ComparisonRunPicker } from './ComparisonRunPicker.tsx'
import classes from './Changes.module.css'
import { NodesDiff } from './NodesDiff.tsx'
import { RunNote, RunSection } from '../page/RunSection.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runListMessages } from '../list/messages.ts'
import { Price } from '../../../components/data/Price.tsx'
import { Table, type TableColumn } from '../../../components/data/Table.tsx'
import { formatTurnFigure } from '../turnFigures.ts'
import { type ComparedMetric, compareMetrics } from './compareRuns.ts'

interface RunComparisonProps {
  run_id: string
  turn: Turn
  /** The server's row, null while only this browser knows the run. */
  row: Run | null
  /** The id of the run to compare with; any other value shows the picker. */
  other: string
  workspace: string
}

/** Compares a run with an earlier one: request, answer, metrics. */
export function RunComparison({ run_id, turn, row, other, workspace }: RunComparisonProps) {
  const t = useMessages(runListMessages)
  const id = Id.safeParse(other)
  const { turn: before, isLoading, problem, retry } = useTurn(id.success ? id.data.toLowerCase() : null)
  if (!id.success || id.data.toLowerCase() === run_id)
    return <ComparisonRunPicker run_id={run_id} entry={row?.entry ?? turn.entry} workspace={workspace} />
  const selectRun = (
    <Button variant="default" component={Link} to={paths.run(run_id, { workspace, with: 'choose' })}>
      {t('chooseOther')}
    </Button>
  )
  if (problem)
    return (
      <ProblemAlert problem={problem} action={t('readOther', { id: other.slice(0, 8) })} onRetry={retry}>
        {selectRun}
      </ProblemAlert>
    )
  if (isLoading || !before) return <SkeletonRows rows={5} height={72} />
  const areFinished = isTurnOver(before) && isTurnOver(turn)
  const [outputsBefore, outputsAfter] = [before.answer.run.outputs, turn.answer.run.outputs]
  const hasOutputs = outputsBefore !== null || outputsAfter !== null
  const hasText = before.answer.text !== '' || turn.answer.text !== ''
  return (
    <Stack gap="lg" maw={820} mx="auto">
      <Group gap="sm">
        <RunNote>
          {t.rich('comparing', {
            earlier: () => <Link to={paths.run(before.run_id, { workspace })}>{before.run_id.slice(0, 8)}</Link>,
            later: () => <code>{run_id.slice(0, 8)}</code>,
          })}
        </RunNote>
        {selectRun}
        <Button
          variant="subtle"
          color="gray"
          component={Link}
          to={paths.run(before.run_id, { workspace, with: run_id })}
        >
          {t('swap')}
        </Button>
      </Group>
      {row ? (
        <ParametersChanged workspace={row.workspace} app={row.key} since={before.sent_at} until={turn.sent_at} />
      ) : null}
      <RunSection title={t('statistics')}>
        <Paper className={classes.table}>
          <MetricDiff before={before} after={turn} />
        </Paper>
      </RunSection>
      {turn.entry === 'chat.send' && before.entry === 'chat.send' ? (
        <RunSection title={t('question')}>
          <TextDiff before={before.question.query} after={turn.question.query} label={t('question')} />
        </RunSection>
      ) : null}
      <RunSection title={t('inputs')}>
        <JsonDiff before={before.question.inputs} after={turn.question.inputs} label={t('inputs')} />
      </RunSection>
      {hasText || !hasOutputs ? (
        <RunSection title={t('answer')}>
          {areFinished ? (
            <TextDiff before={before.answer.text} after={turn.answer.text} label={t('answer')} />
          ) : (
            <RunNote>{t('whenOver')}</RunNote>
          )}
        </RunSection>
      ) : null}
      {hasOutputs ? (
        <RunSection title={t('outputs')}>
          <JsonDiff before={outputsBefore} after={outputsAfter} label={t('outputs')} />
        </RunSection>
      ) : null}
      {before.answer.run.nodes.length > 0 || turn.answer.run.nodes.length > 0 ? (
        <RunSection title={t('nodes')}>
          {areFinished ? (
            <NodesDiff before={before.answer.run} after={turn.answer.run} />
          ) : (
            <RunNote>{t('whenOver')}</RunNote>
          )}
        </RunSection>
      ) : null}
      <RunSection title={t('sources')}>
        <SourceDiff before={collectSources(before.answer)} after={collectSources(turn.answer)} />
      </RunSection>
    </Stack>
  )
}

/** The metrics of two runs side by side. */
function MetricDiff({ before, after }: { before: Turn; after: Turn }) {
  const t = useMessages(runListMessages)
  const shownMetrics = (metric: ComparedMetric, turn: Turn, value: number | null) => {
    if (value === null) return null
    if (metric.name === 'price')
      return <Price price={turn.answer.usage?.total_price} currency={turn.answer.usage?.currency} />
    return formatTurnFigure(metric.name, value, t)
  }
  const columns: TableColumn<ComparedMetric>[] = [
    { header: t('metric'), cell: ({ name }) => t(name) },
    { header: t('earlier'), isNumeric: true, cell: (metric) => shownMetrics(metric, before, metric.before) },
    { header: t('later'), isNumeric: true, cell: (metric) => shownMetrics(metric, after, metric.after) },
    {
      header: t('difference'),
      isNumeric: true,
      cell: (metric) =>
        metric.change === null
          ? metric.before === null || metric.after === null
            ? '–'
            : t('otherCurrency')
          : signed(metric),
    },
  ]
  return (
    <Table label={t('statistics')} columns={columns} rows={compareMetrics(before, after)} getKey={({ name }) => name} />
  )

  function signed(metric: ComparedMetric): string {
    const change = metric.change ?? 0
    const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
    const size = Math.abs(change)
    if (metric.name === 'price') return `${sign}${formatPrice(String(size), null) ?? ''}`
    return `${sign}${formatTurnFigure(metric.name, size, t)}`
  }
}
