import { Suspense } from 'react'
import { contract } from '#contract/index.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { part } from '../../ui/part.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { timelineWords } from '../timeline/messages.ts'
import { Timeline, type TimelineProps } from '../timeline/Timeline.tsx'
import { isOver } from '../turn.ts'
import classes from './Flow.module.css'

const Graph = part(async () => (await import('./Graph.tsx')).Graph)

/** The nodes of a run on a time axis, or as a graph of what was seen: `?view=graph`. */
export function Flow(props: TimelineProps) {
  const t = useWords(timelineWords)
  const { get, set } = useListState()
  const isGraph = get('view') === 'graph'
  const { turn } = props
  const known = useRead(
    contract.console.listKnownNodes,
    { params: { run_id: turn.run_id } },
    { enabled: !isGraph && turn.entry === 'workflows.run' && isOver(turn) },
  )
  return (
    <div className={classes.flow}>
      <SegmentedControl
        size="xs"
        className={classes.views}
        aria-label={t('view')}
        value={isGraph ? 'graph' : 'timeline'}
        onChange={(view) => set({ view: view === 'graph' ? view : null }, { replace: true })}
        data={[
          { value: 'timeline', label: t('timeline') },
          { value: 'graph', label: t('graph') },
        ]}
      />
      {isGraph ? (
        <Suspense fallback={<SkeletonRows rows={6} height={60} />}>
          <Graph turn={turn} onChoose={props.onChoose} />
        </Suspense>
      ) : (
        <Timeline {...props} known={known.data?.data} />
      )}
    </div>
  )
}
