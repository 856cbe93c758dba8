import { isSuccessStatus } from '#contract/console/runs.ts'
import { ActionIcon, Tabs } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import type { FramesView } from '../../../client/frameStore.ts'
import classes from './Inspector.module.css'
import { ReplyTab, type ReplyRead } from './ReplyTab.tsx'
import { RequestTab } from './RequestTab.tsx'
import { SourcesTab } from './SourcesTab.tsx'
import { CHAT_INSPECTOR_TABS, type InspectorTab, INSPECTOR_TABS } from './inspectorTabs.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import { UsageTab } from './UsageTab.tsx'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import { inspectorMessages } from './messages.ts'

const LazyFramesTab = lazyWithPreload(async () => (await import('../frames/FramesTab.tsx')).FramesTab)

export interface InspectorViewProps {
  turn: Turn | null
  frames: FramesView & { retry: () => void }
  reply: ReplyRead
  /** The workspace id, null if this console does not have it, and the platform's base URL. */
  workspace: string | null
  base_url: string | null
  /** `variables` only with `variables`. */
  tab: InspectorTab
  source: number | null
  onTab: (tab: InspectorTab) => void
  onClose: (() => void) | null
  onExport: (() => void) | null
  /** Shown above the tabs: the progress of an export. */
  note?: ReactNode
  /** The content of the tab with the variables of the conversation; without it there is no such tab. */
  variables?: ReactNode
}

/** The tabs of a run, from the server or from a file. */
export function InspectorView(props: InspectorViewProps) {
  const { turn, frames, reply, workspace, base_url, tab, source, onTab, onClose, onExport, note, variables } = props
  const t = useMessages(runMessages)
  const tInspector = useMessages(inspectorMessages)
  const tabs: readonly InspectorTab[] = variables ? CHAT_INSPECTOR_TABS : INSPECTOR_TABS
  const counts: Partial<Record<InspectorTab, number>> = turn
    ? { frames: turn.frames, sources: turn.answer.sources.length }
    : {}
  return (
    <Tabs
      value={tab}
      onChange={(value) => onTab(tabs.find((one) => one === value) ?? 'frames')}
      className={classes.inspector}
    >
      <div className={classes.head}>
        <Tabs.List className={classes.tabs} aria-label={tInspector('inspector')}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(one)}
              {counts[one] ? <span className={classes.count}>{counts[one].toLocaleString('en')}</span> : null}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {onClose ? (
          <ActionIcon aria-label={tInspector('closeInspector')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        ) : null}
      </div>
      {note}
      <Tabs.Panel
        value={tab}
        className={turn && tab === 'frames' ? classes.flush : classes.panel}
        tabIndex={turn && tab === 'frames' ? -1 : 0}
      >
        {!turn ? <p className={classes.none}>{tInspector('chooseAnswer')}</p> : null}
        {turn && tab === 'frames' ? (
          <Suspense fallback={<SkeletonRows rows={8} />}>
            <LazyFramesTab
              key={turn.run_id}
              run_id={turn.run_id}
              entry={turn.entry}
              view={frames}
              total={turn.frames}
              edge={toStreamEdge(turn)}
              isSingleReply={isSuccessStatus(turn.state) || turn.state === 'stopped'}
              onRetry={frames.retry}
              onExport={onExport}
            />
          </Suspense>
        ) : null}
        {turn && tab === 'request' ? <RequestTab turn={turn} base_url={base_url} /> : null}
        {turn && tab === 'reply' ? <ReplyTab turn={turn} reply={reply} /> : null}
        {turn && tab === 'sources' ? <SourcesTab turn={turn} workspace={workspace} source={source} /> : null}
        {turn && tab === 'usage' ? <UsageTab turn={turn} /> : null}
        {turn && tab === 'variables' ? variables : null}
      </Tabs.Panel>
    </Tabs>
  )
}

/** A run with a reported failure has ended; an interrupted stream is cut. */
function toStreamEdge(turn: Turn): 'live' | 'cut' | null {
  if (!isTurnOver(turn)) return 'live'
  return turn.state === 'interrupted' || turn.state === 'unknown' ? 'cut' : null
}
