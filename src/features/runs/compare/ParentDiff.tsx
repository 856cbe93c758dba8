import { Stack } from '@mantine/core'
import { Link } from 'react-router'
import type { Run } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import { emptyRun, type RunNode, type RunState } from '#domain/workflowRun/runState.ts'
import { paths } from '#domain/paths.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { toAnswerState } from '../turn.ts'
import { RunNote, RunSection } from '../page/RunSection.tsx'
import { JsonDiff } from './ChangeLists.tsx'
import { comparisonMessages } from './messages.ts'
import { findCounterpart } from './compareNodes.ts'

interface ParentDiffProps {
  node: RunNode
  run: RunState
  run_id: string
  /** The run from which this one was derived. */
  parent: string
}

/** Compares a node with the same node of the parent run. */
export function ParentDiff(props: ParentDiffProps) {
  const t = useMessages(comparisonMessages)
  const read = useRead(runEndpoints.readRun, { params: { run_id: props.parent } })
  const loading = <SkeletonRows rows={3} />
  return (
    <ReadBoundary read={read} action={t('readParent')} loading={loading}>
      {/* Until the reply comes, it is that of an earlier parent. */}
      {(data) => (data.id === props.parent ? <NodeDiff {...props} data={data} /> : loading)}
    </ReadBoundary>
  )
}

function NodeDiff({ node, run, run_id, parent, data }: ParentDiffProps & { data: Run }) {
  const t = useMessages(comparisonMessages)
  const before = data.answer ? toAnswerState(data.answer as AnswerState | RunState).run : emptyRun
  const parentNode = findCounterpart(node, run, before)
  const comparisonLink = (
    <Link to={paths.run(run_id, { workspace: data.workspace, with: parent })}>{t('compareFullRuns')}</Link>
  )
  if (!parentNode)
    return (
      <RunNote>
        {t('notInParent', { id: parent.slice(0, 8) })} {comparisonLink}
      </RunNote>
    )
  const formatTime = (time: number | null) =>
    time === null ? t('notGiven') : t('secondsShort', { seconds: formatSeconds(time * 1000) })
  const parts: [title: string, before: unknown, after: unknown][] = [
    ...(parentNode.error === node.error
      ? []
      : [[t('error'), parentNode.error, node.error] as [string, unknown, unknown]]),
    [t('inputs'), parentNode.inputs, node.inputs],
    [t('outputs'), parentNode.outputs, node.outputs],
  ]
  return (
    <Stack gap="md">
      <RunNote>
        {t.rich('nodeInParent', {
          id: parent.slice(0, 8),
          state: () => <StatusBadge key="state" status={parentNode.status} isPlain />,
          before: formatTime(parentNode.elapsed_time),
          after: formatTime(node.elapsed_time),
        })}{' '}
        {comparisonLink}
      </RunNote>
      {parts.map(([title, before, after]) => (
        <RunSection key={title} title={title} order={3}>
          <JsonDiff before={before} after={after} label={title} />
        </RunSection>
      ))}
    </Stack>
  )
}
