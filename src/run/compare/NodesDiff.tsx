import { useMemo, useState } from 'react'
import { Switch } from '@mantine/core'
import type { RunNode, RunState } from '#contract/run.ts'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import { seconds } from '../figures.ts'
import { nameOf } from '../timeline/look.ts'
import classes from './Changes.module.css'
import { comparisonWords } from './messages.ts'
import { compareNodes, type NodeChange } from './nodes.ts'

/** So many nodes are drawn. */
const MOST = 300

/** What became of the nodes between two runs: added, gone, slower, failed. Those that stayed as they were are folded away. */
export function NodesDiff({ before, after }: { before: RunState; after: RunState }) {
  const t = useWords(comparisonWords)
  const [all, setAll] = useState(false)
  const changes = useMemo(() => compareNodes(before, after), [before, after])
  const differing = changes.filter(({ kind }) => kind !== 'same')
  const same = changes.length - differing.length
  const shown = all ? changes : differing
  const columns: Column<NodeChange>[] = [
    { head: t('node'), grow: true, cell: ({ before: was, after: is }) => <Name node={is ?? was} /> },
    { head: t('what'), cell: ({ kind }) => <span data-node={kind}>{t(`node_${kind}`)}</span> },
    { head: t('stateBefore'), cell: ({ before: was }) => stateOf(was) },
    { head: t('stateAfter'), cell: ({ after: is }) => stateOf(is) },
    { head: t('secondsBefore'), number: true, cell: ({ before: was }) => took(was) },
    { head: t('secondsAfter'), number: true, cell: ({ after: is }) => took(is) },
    { head: t('difference'), number: true, cell: ({ change }) => signed(change) },
  ]
  return (
    <>
      <p className={classes.note}>
        {t('nodesNote', { differing: differing.length, same })}{' '}
        {same > 0 ? (
          <Switch
            size="xs"
            className={classes.switch}
            label={t('showSame')}
            checked={all}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
        ) : null}
      </p>
      {shown.length > 0 ? (
        <div className={classes.nodes}>
          <Table label={t('nodes')} columns={columns} rows={shown.slice(0, MOST)} keyOf={({ key }) => key} />
        </div>
      ) : null}
      {shown.length > MOST ? <p className={classes.note}>{t('moreChanges', { count: shown.length - MOST })}</p> : null}
    </>
  )

  function stateOf(node: RunNode | null) {
    return node ? <StateBadge word={node.status} plain /> : '–'
  }
}

function Name({ node }: { node: RunNode | null }) {
  const t = useWords(comparisonWords)
  if (!node) return null
  return (
    <span dir="auto">
      {nameOf(node)} {node.round === null ? null : <small>{t('round', { round: node.round })}</small>}
    </span>
  )
}

function took(node: RunNode | null): string | null {
  if (!node) return '–'
  return node.elapsed_time === null ? null : seconds(node.elapsed_time * 1000)
}

const signed = (change: number | null): string =>
  change === null ? '–' : `${change > 0 ? '+' : change < 0 ? '−' : '±'}${seconds(Math.abs(change) * 1000)}`
