import { ActionIcon, Group, Stack, Tabs, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react'
import { isSuccessStatus, isUnclearStatus } from '#contract/console/runs.ts'
import type { Problem } from '#contract/problem.ts'
import { maskFormTokens } from '#domain/workflowRun/formTokens.ts'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import type { FramesView } from '../../../client/frameStore.ts'
import classes from './Inspector.module.css'
import { CHAT_INSPECTOR_TABS, INSPECTOR_TABS, type InspectorTab } from './inspectorTabs.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import { UsageTab } from './UsageTab.tsx'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import { inspectorMessages } from './messages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { CopyCurl, toCurlRequest } from './CopyCurl.tsx'
import { getRunPath } from '../runEntries.ts'
import { toVocabulary } from '../answer/sharedTextSpans.ts'
import { SourceCard } from '../answer/SourceCard.tsx'

const LazyFramesTab = lazyWithPreload(async () => (await import('../frames/FramesTab.tsx')).FramesTab)

interface InspectorViewProps {
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
        {!turn ? <EmptyTab>{tInspector('chooseAnswer')}</EmptyTab> : null}
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

/** Says why a tab is empty. */
function EmptyTab({ children }: { children: ReactNode }) {
  return (
    <Text m={4} fz="sm" c="var(--text-3)">
      {children}
    </Text>
  )
}

/** Says what a tab shows. */
function AboutTab({ children }: { children: ReactNode }) {
  return (
    <Text mb="sm" fz="sm" c="dimmed">
      {children}
    </Text>
  )
}

/** A run with a reported failure has ended; an interrupted stream is cut. */
function toStreamEdge(turn: Turn): 'live' | 'cut' | null {
  if (!isTurnOver(turn)) return 'live'
  return isUnclearStatus(turn.state) ? 'cut' : null
}

/** The blocking reply, if any; `undefined` while loading. */
interface ReplyRead {
  value: unknown
  problem: Problem | null
  retry: () => void
}

/** The platform's response: the complete reply, the error, or the folded stream. */
function ReplyTab({ turn, reply }: { turn: Turn; reply: ReplyRead }) {
  const t = useMessages(runMessages)
  const { problem, frames, answer } = turn
  const { upstream } = problem ?? {}
  const label = t('reply')
  if (upstream)
    return (
      <>
        <AboutTab>{t('replyRefused', { status: upstream.status })}</AboutTab>
        {typeof upstream.body === 'string' ? (
          <RawJson text={upstream.body} label={label} />
        ) : (
          <RawJson value={upstream.body} label={label} />
        )}
      </>
    )
  if (!isTurnOver(turn)) return <EmptyTab>{t(frames > 0 ? 'replyComing' : 'replyMissing')}</EmptyTab>
  if (frames > 0)
    return (
      <>
        {problem ? <RawJson value={problem} label={t('replyProblem')} /> : null}
        <AboutTab>{t('replyStream', { count: frames })}</AboutTab>
        <RawJson value={maskFormTokens(turn.entry === 'workflows.run' ? answer.run : answer)} label={label} />
      </>
    )
  if (reply.value !== undefined && reply.value !== null)
    return (
      <>
        <AboutTab>{t(answer.run.told ? 'replyReported' : 'replyFull')}</AboutTab>
        <RawJson value={maskFormTokens(reply.value)} label={label} />
      </>
    )
  if (reply.problem) return <ProblemAlert problem={reply.problem} action={t('readReply')} onRetry={reply.retry} />
  if (!problem) return <EmptyTab>{reply.value === undefined ? t('replyMissing') : t('replyNone')}</EmptyTab>
  return (
    <>
      <AboutTab>{t('replyProblem')}</AboutTab>
      <RawJson value={problem} label={label} />
    </>
  )
}

/** The request as sent. `base_url` is the platform's, null if unknown. */
function RequestTab({ turn, base_url }: { turn: Turn; base_url: string | null }) {
  const t = useMessages(runMessages)
  const { body } = turn.question
  const path = getRunPath(turn.entry, turn.question.pinned_workflow_id)
  if (turn.answer.run.told?.elsewhere)
    return (
      <>
        <AboutTab>{t('externalRun')}</AboutTab>
        <RawJson value={body} label={t('request')} />
      </>
    )
  return (
    <>
      <Group justify="space-between" gap="xs" mb="sm" fz="sm">
        <code style={{ overflowWrap: 'anywhere' }}>
          POST{' '}
          <Text span inherit c="var(--text-3)">
            {base_url}
          </Text>
          {path}
        </code>
        <CopyCurl {...toCurlRequest(turn)} base_url={base_url} />
      </Group>
      <AboutTab>{t('asSent')}</AboutTab>
      <RawJson value={body} label={t('request')} />
    </>
  )
}

/** The sources of an answer, each with its whole text. Scrolls to the selected one. */
function SourcesTab({ turn, workspace, source }: { turn: Turn; workspace: string | null; source: number | null }) {
  const t = useMessages(runMessages)
  const list = useRef<HTMLDivElement>(null)
  const { sources, text } = turn.answer
  const hasSources = sources.length > 0
  const vocabulary = useMemo(() => toVocabulary(hasSources ? text : ''), [hasSources, text])
  useEffect(() => {
    list.current?.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest' })
  }, [source, turn.run_id, sources.length])
  if (sources.length === 0)
    return (
      <EmptyTab>
        {isTurnOver(turn) ? (
          <>
            <Text span inherit fw={550} c="dimmed">
              {t('noSources')}
            </Text>{' '}
            {isSuccessStatus(turn.state) ? t('noSourcesWhy') : null}
          </>
        ) : (
          t('sourcesLater')
        )}
      </EmptyTab>
    )
  return (
    <Stack ref={list} gap="sm">
      <AboutTab>{t('sharedWords')}</AboutTab>
      {sources.map((one, index) => {
        const position = one.position ?? index + 1
        return (
          <SourceCard
            key={index}
            source={one}
            position={position}
            workspace={workspace}
            selected={position === source}
            showFullText
            vocabulary={vocabulary}
            run={turn.run_id}
          />
        )
      })}
    </Stack>
  )
}
