import { SegmentedControl, Stack } from '@mantine/core'
import { Suspense } from 'react'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { timelineMessages } from '../timeline/messages.ts'
import { Timeline, type TimelineProps } from '../timeline/Timeline.tsx'
import { isTurnOver } from '../turn.ts'

const LazyRunGraph = lazyWithPreload(async () => (await import('./RunGraph.tsx')).RunGraph)

/** The nodes of a run as a timeline, or as a graph of the observed nodes: `?view=graph`. */
export function RunFlow(props: TimelineProps) {
  const t = useMessages(timelineMessages)
  const { get, set } = useSearchParamState()
  const isGraph = get('view') === 'graph'
  const { turn } = props
  const known = useRead(
    runInsightEndpoints.listKnownNodes,
    { params: { run_id: turn.run_id } },
    { enabled: !isGraph && turn.entry === 'workflows.run' && isTurnOver(turn) },
  )
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        style={{ alignSelf: 'start' }}
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
          <LazyRunGraph turn={turn} onSelectNode={props.onSelectNode} />
        </Suspense>
      ) : (
        <Timeline {...props} knownNodes={known.data?.data} knownRuns={known.data?.runs} />
      )}
    </Stack>
  )
}
