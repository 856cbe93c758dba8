import { useMemo, useState } from 'react'
import { Group, Paper, Switch } from '@mantine/core'
import type { RunNode, RunState } from '#domain/workflowRun/runState.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { getNodeName } from '../timeline/nodeDisplay.ts'
import classes from './Changes.module.css'
import { comparisonMessages } from './messages.ts'
import { compareNodes, type NodeChange } from './compareNodes.ts'
import { RunNote } from '../page/RunSection.tsx'

/** Maximum nodes shown. */
const MAX_NODES = 300

/** The node changes between two runs: added, removed, slower, failed. Unchanged nodes are folded. */
export function NodesDiff({ before, after }: { before: RunState; after: RunState }) {
  const t = useMessages(comparisonMessages)
  const [all, setAll] = useState(false)
  const changes = useMemo(() => compareNodes(before, after), [before, after])
  const differing = changes.filter(({ kind }) => kind !== 'same')
  const same = changes.length - differing.length
  const visibleChanges = all ? changes : differing
  const columns: TableColumn<NodeChange>[] = [
    { header: t('node'), grows: true, cell: ({ before: was, after: is }) => <NodeName node={is ?? was} /> },
    { header: t('what'), cell: ({ kind }) => <span data-node={kind}>{t(`node_${kind}`)}</span> },
    { header: t('before'), cell: ({ before: was }) => renderState(was) },
    { header: t('now'), cell: ({ after: is }) => renderState(is) },
    { header: t('secondsBefore'), isNumeric: true, cell: ({ before: was }) => formatNodeSeconds(was) },
    { header: t('secondsAfter'), isNumeric: true, cell: ({ after: is }) => formatNodeSeconds(is) },
    { header: t('difference'), isNumeric: true, cell: ({ change }) => formatSignedSeconds(change) },
  ]
  return (
    <>
      <Group gap="sm" mb="xs">
        <RunNote>{t('nodesNote', { differing: differing.length, same })}</RunNote>
        {same > 0 ? (
          <Switch
            size="xs"
            label={t('showSame')}
            checked={all}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
        ) : null}
      </Group>
      {visibleChanges.length > 0 ? (
        <Paper className={classes.nodes}>
          <Table
            label={t('nodes')}
            columns={columns}
            rows={visibleChanges.slice(0, MAX_NODES)}
            getKey={({ key }) => key}
          />
        </Paper>
      ) : null}
      {visibleChanges.length > MAX_NODES ? (
        <RunNote>{t('moreChanges', { count: visibleChanges.length - MAX_NODES })}</RunNote>
      ) : null}
    </>
  )

  function renderState(node: RunNode | null) {
    return node ? <StatusBadge status={node.status} isPlain /> : '–'
  }
}

function NodeName({ node }: { node: RunNode | null }) {
  const t = useMessages(comparisonMessages)
  if (!node) return null
  return (
    <span dir="auto">
      {getNodeName(node)} {node.round === null ? null : <small>{t('round', { round: node.round })}</small>}
    </span>
  )
}

function formatNodeSeconds(node: RunNode | null): string | null {
  if (!node) return '–'
  return node.elapsed_time === null ? null : formatSeconds(node.elapsed_time * 1000)
}

const formatSignedSeconds = (change: number | null): string =>
  change === null ? '–' : `${change > 0 ? '+' : change < 0 ? '−' : '±'}${formatSeconds(Math.abs(change) * 1000)}`
