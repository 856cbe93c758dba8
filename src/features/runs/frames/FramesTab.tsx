import { ActionIcon, Button, Flex, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconClockExclamation, IconDownload, IconFilter } from '@tabler/icons-react'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Run } from '#contract/console/runs.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useShortcuts } from '../../../components/hooks/useShortcuts.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { FramesView } from '../../../client/frameStore.ts'
import { useHighlightControl } from '../answer/answerHighlight.ts'
import { FrameDetail } from './FrameDetail.tsx'
import { FrameList } from './FrameList.tsx'
import classes from './Frames.module.css'
import { FrameStrip } from './FrameStrip.tsx'
import { framesMessages } from './messages.ts'
import { toFrameRows } from './frameRows.ts'
import { formatGap, type FrameSummary, SLOW_GAP_MS, summarizeFrames } from './frameStatistics.ts'
import { findFrameAt, getTextRange } from './frameTable.ts'
import { useFrameTable } from './useFrameTable.ts'
import { useSearchParamChange } from '../../../components/hooks/useSearchParamChange.ts'

interface FramesTabProps {
  run_id: string
  entry: Run['entry']
  /** The loaded frames, and the total of the run. */
  view: FramesView
  total: number
  /** Still streaming, cut off, or neither. */
  edge: 'live' | 'cut' | null
  /** The run has an answer, which is a blocking reply without frames. */
  isSingleReply: boolean
  onRetry: () => void
  onExport: (() => void) | null
}

/** The frames of a run: kind, time, and the part of the answer that each one contributed. */
export function FramesTab({ run_id, entry, view, total, edge, isSingleReply, onRetry, onExport }: FramesTabProps) {
  const t = useMessages(framesMessages)
  const table = useFrameTable(entry, view.frames, view.count)
  const [selected, select] = useSelectedFrame()
  const [expandedFolds, setExpandedFolds] = useState<ReadonlySet<number>>(new Set())
  const [filter, setFilter] = useState('')
  const [wantsFollow, setFollows] = useState(selected === null)
  const isLive = edge === 'live'
  const isFollowing = wantsFollow && isLive
  const summary = useMemo(() => summarizeFrames(table), [table])
  const rows = useMemo(
    () => toFrameRows(table, { expanded: expandedFolds, selected, filter }),
    [table, expandedFolds, selected, filter],
  )
  const names = useMemo(() => [...new Set(table.events.slice(0, table.count))].filter(Boolean).sort(), [table])
  const range = selected === null ? null : getTextRange(table, selected)
  const selectFrame = useCallback(
    (seq: number | null) => {
      setFollows(false)
      select(seq)
    },
    [select],
  )
  const onPick = useCallback(
    (offset: number) => {
      const seq = findFrameAt(table, offset)
      if (seq !== null) selectFrame(seq)
    },
    [table, selectFrame],
  )
  useHighlightControl(run_id, range && selected !== null ? { seq: selected, ...range } : null, onPick)
  useShortcuts([['f', () => setFollows(true)]])

  if (total === 0 && view.count === 0)
    return <FramesNote>{t(isLive ? 'noneYet' : isSingleReply ? 'notStreamed' : 'none')}</FramesNote>
  const chosenEvent = /^event:(\S+)$/.exec(filter.trim())?.[1] ?? ''
  return (
    <div className={classes.frames}>
      {view.problem ? <ProblemAlert problem={view.problem} action={t('readFrames')} onRetry={onRetry} /> : null}
      {summary ? (
        <>
          <FrameSummaryLine count={Math.max(total, table.count)} summary={summary} onSelect={selectFrame} />
          <FrameStrip
            table={table}
            total={Math.max(total, table.count)}
            summary={summary}
            selected={selected}
            edge={edge}
            onSelect={selectFrame}
          />
        </>
      ) : null}
      <Group gap="xs" px="md" pt={4} pb="sm" wrap="nowrap" flex="none">
        <TextInput
          flex={1}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          leftSection={<IconFilter size={14} />}
          aria-label={t('filter')}
          placeholder={t('filterHint')}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <NativeSelect
          maw={130}
          aria-label={t('events')}
          value={names.includes(chosenEvent) ? chosenEvent : ''}
          onChange={(event) => setFilter(event.currentTarget.value && `event:${event.currentTarget.value}`)}
          data={[{ value: '', label: t('allEvents') }, ...names]}
        />
        {onExport ? (
          <Tooltip label={t('export')}>
            <ActionIcon variant="default" size={30} aria-label={t('export')} onClick={onExport}>
              <IconDownload size={15} />
            </ActionIcon>
          </Tooltip>
        ) : null}
      </Group>
      <Flex pos="relative" flex="1 1 160px" mih={110}>
        <FrameList
          table={table}
          rows={rows}
          selected={selected}
          isFollowing={isFollowing}
          isLive={isLive}
          onFollow={setFollows}
          onSelect={selectFrame}
          onExpand={(from) => setExpandedFolds(new Set([...expandedFolds, from]))}
        />
        {isLive && !isFollowing ? (
          <Button
            className={classes.follow}
            pos="absolute"
            right={14}
            bottom={10}
            variant="default"
            leftSection={<IconArrowDown size={14} />}
            onClick={() => setFollows(true)}
          >
            {t('follow')}
          </Button>
        ) : null}
      </Flex>
      {filter.trim() !== '' && rows.length === 0 ? <FramesNote>{t('noMatch')}</FramesNote> : null}
      {table.count < total && !view.problem && !isLive ? (
        <FramesNote role="status">
          {t('reading', { count: table.count.toLocaleString('en'), total: total.toLocaleString('en') })}
        </FramesNote>
      ) : null}
      {selected !== null && selected <= table.count ? (
        <FrameDetail key={selected} table={table} seq={selected} onClose={() => selectFrame(null)} />
      ) : null}
    </div>
  )
}

function FramesNote({ role, children }: { role?: 'status'; children: ReactNode }) {
  return (
    <Text px="md" py="sm" fz="sm" c="var(--text-3)" flex="none" role={role}>
      {children}
    </Text>
  )
}

interface FrameSummaryLineProps {
  count: number
  summary: FrameSummary
  onSelect: (seq: number) => void
}

/** The number and regularity of frames. The longest gap links to its frame. */
function FrameSummaryLine({ count, summary, onSelect }: FrameSummaryLineProps) {
  const t = useMessages(framesMessages)
  const { median, p95, longest, rate } = summary
  return (
    <Group className={classes.summary} gap="2px 14px" px="md" pt="sm" fz="sm" c="dimmed">
      <span>{t.rich('count', { b: bold, count: count.toLocaleString('en'), plural: count })}</span>
      <span>{t.rich('median', { b: bold, time: formatGap(median) })}</span>
      <span>{t.rich('p95', { b: bold, time: formatGap(p95) })}</span>
      {rate === null ? null : <span>{t.rich('rate', { b: bold, rate: rate.toFixed(rate < 10 ? 1 : 0) })}</span>}
      <button
        type="button"
        className={classes.longest}
        data-slow={longest.gap > SLOW_GAP_MS || undefined}
        title={t('goLongest', { seq: longest.seq })}
        onClick={() => onSelect(longest.seq)}
      >
        <IconClockExclamation size={14} aria-hidden />
        {t.rich('longest', { b: bold, time: formatGap(longest.gap), seq: longest.seq })}
      </button>
    </Group>
  )
}

const bold = (words: ReactNode) => <b>{words}</b>

/** Browsers rate-limit history updates, which a held key would exceed. */
const URL_UPDATE_DELAY_MS = 250

const readFrameParam = (search: URLSearchParams): number | null => {
  const seq = Number(search.get('frame') ?? NaN)
  return Number.isInteger(seq) && seq > 0 ? seq : null
}

/** The selected frame: `?frame=41`, so that a link and a reload restore it. */
function useSelectedFrame(): [number | null, (seq: number | null) => void] {
  const [search] = useSearchParams()
  const changeParams = useSearchParamChange()
  const [selectedFrame, selectFrame] = useState(() => readFrameParam(search))
  const write = useEffectEvent((seq: number | null) => {
    if (readFrameParam(new URLSearchParams(window.location.search)) === seq) return
    changeParams(
      (params) => {
        if (seq === null) params.delete('frame')
        else params.set('frame', String(seq))
      },
      { replace: true },
    )
  })
  useEffect(() => {
    const timer = setTimeout(() => write(selectedFrame), URL_UPDATE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [selectedFrame, search])
  useEffect(() => {
    const onPop = () => selectFrame(readFrameParam(new URLSearchParams(window.location.search)))
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])
  return [selectedFrame, selectFrame]
}
