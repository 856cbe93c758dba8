import { Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState, memo } from 'react'
import { VList, type VListHandle } from 'virtua'
import { Id } from '#contract/endpoint.ts'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import { paths } from '#domain/paths.ts'
import { SearchField } from '../../../../components/forms/SearchField.tsx'
import { ReadBoundary } from '../../../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../../../components/layout/SkeletonRows.tsx'
import { useListKeys, listRowAttributes } from '../../../../components/hooks/useListKeys.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useRead } from '../../../../client/query.ts'
import { useChunkDrafts } from '../../chunkDrafts.ts'
import { CountMark } from '../ChildChunks.tsx'
import classes from '../Document.module.css'
import { segmentMessages } from '../messages.ts'
import type { SegmentNavigation } from './useSegmentNavigation.ts'
import { type SegmentSource, useSegmentPage, SEGMENTS_PER_PAGE } from './useSegmentPage.ts'
import { MAX_SELECTED_SEGMENTS, type SegmentSelection } from './useSegmentSelection.ts'
import { Link } from 'react-router'
import { StatusBadge } from '../../../../components/data/StatusBadge.tsx'

interface SegmentListProps {
  source: SegmentSource
  navigation: SegmentNavigation
  /** The URL parameters other than the segment. */
  search: Record<string, string | undefined>
  onFilter: (filter: { keyword?: string; status?: string }) => void
  onOpenId: (segment_id: string) => void
  onRow: () => void
  /** Undefined without permission. */
  onEdit: ((segment_id: string) => void) | undefined
  /** Null where nothing can be done with a selection. */
  selection: SegmentSelection | null
  actions?: ReactNode
  bulk?: ReactNode
}

const SEGMENT_STATUSES = ['waiting', 'indexing', 'completed', 'error', 're_segment']

/** The segments of a document: all of them where the platform lists them, else those that this console has met. */
export function SegmentList(props: SegmentListProps) {
  const { source, navigation, search, onFilter, onOpenId, onRow, onEdit, selection, actions, bulk } = props
  const t = useMessages(segmentMessages)
  const list = useRef<VListHandle>(null)
  const container = useRef<HTMLElement>(null)
  const first = useSegmentPage(source, 1)
  const drafts = new Set(
    useChunkDrafts().flatMap(({ document_id, segment_id }) => (document_id === source.document_id ? [segment_id] : [])),
  )
  const { keyword = '', status = '', canListSegments, dataset_id, document_id } = source
  const { current, index, noteIndex } = navigation
  useLedgerRefresh(source, current, first.query.refetch)
  useEffect(() => {
    // The result is not a cleanup function: newer browsers return a promise.
    list.current?.scrollTo(0)
  }, [keyword, status])
  useEffect(() => {
    if (index !== null) list.current?.scrollToIndex(index, { align: 'nearest' })
  }, [index])
  const { status: copiedStatus } = useListKeys({
    container,
    count: first.total ?? 0,
    getId: (at) => findRowId(container.current, at),
    onSelect: selection
      ? (at, { isRange }) => selection.toggle(findRowId(container.current, at) ?? '', at, isRange)
      : undefined,
    onEdit: onEdit ? (at) => onEdit(findRowId(container.current, at) ?? '') : undefined,
    onEscape: selection && selection.ids.size > 0 ? selection.clear : undefined,
    scrollToIndex: (at) => list.current?.scrollToIndex(at, { align: 'nearest' }),
  })
  const title = canListSegments ? t('segments') : t('segmentsSeen')
  return (
    <section className={classes.segments} aria-label={title} ref={container}>
      <Group className={classes.band} wrap="nowrap" gap="sm" mih={44} py={0} pr="sm">
        {selection && first.total ? <SelectAll selection={selection} total={first.total} /> : null}
        <Text component="h2" flex={1} fz={13} fw={600} style={{ whiteSpace: 'nowrap' }}>
          {title} {first.total ? <CountMark count={first.total} /> : null}
        </Text>
        {actions}
      </Group>
      <SegmentFilters source={source} onFilter={onFilter} onOpenId={onOpenId} />
      {bulk}
      <ReadBoundary
        read={first.query}
        action={t('segmentsWhat')}
        loading={<SkeletonRows rows={5} />}
        isEmpty={() => first.total === 0}
        empty={<NoSegments isFiltered={keyword !== '' || status !== ''} source={source} />}
      >
        {() => (
          <VList
            ref={list}
            role="list"
            className={classes.rows}
            data={[...Array(first.total ?? 0).keys()]}
            itemSize={50}
            tabIndex={0}
            aria-label={title}
          >
            {(at) => (
              <SegmentRow
                key={at}
                source={source}
                index={at}
                current={current}
                getSegmentPath={(id) => paths.document(dataset_id, document_id, { ...search, segment: id })}
                onOpen={(id, place) => {
                  noteIndex(id, place)
                  onRow()
                }}
                selected={selection?.ids ?? null}
                onSelect={(id, place, isRange) => selection?.toggle(id, place, isRange)}
                drafts={drafts}
              />
            )}
          </VList>
        )}
      </ReadBoundary>
      {copiedStatus}
    </section>
  )
}

/** The focused row is rendered, so its id is known. */
const findRowId = (list: HTMLElement | null, at: number): string | undefined =>
  list?.querySelector<HTMLElement>(`[data-row-index="${at}"]`)?.dataset['rowId']

/** Without a list, an open segment is in the ledger as soon as the platform has answered. */
function useLedgerRefresh(source: SegmentSource, current: string | undefined, refetch: () => Promise<unknown>) {
  const { canListSegments, dataset_id, document_id, keyId } = source
  const open = useRead(
    segmentEndpoints.read,
    { key: keyId, params: { dataset_id, document_id, segment_id: current ?? '' } },
    { enabled: !canListSegments && current !== undefined },
  )
  const ledgerRead = open.data?.data.id
  useEffect(() => {
    if (!canListSegments && ledgerRead) void refetch()
  }, [canListSegments, ledgerRead, refetch])
}

function SelectAll({ selection, total }: { selection: SegmentSelection; total: number }) {
  const t = useMessages(segmentMessages)
  const all = Math.min(total, MAX_SELECTED_SEGMENTS)
  return (
    <Checkbox
      size="xs"
      aria-label={t('selectAll', { n: all })}
      checked={selection.ids.size >= all}
      indeterminate={selection.ids.size > 0 && selection.ids.size < all}
      onChange={() => (selection.ids.size > 0 ? selection.clear() : selection.selectAll(total))}
    />
  )
}

type SegmentFiltersProps = Pick<SegmentListProps, 'source' | 'onFilter' | 'onOpenId'>

/** The search also accepts an id, which opens that segment: this is how the console learns of a first one. */
function SegmentFilters({ source, onFilter, onOpenId }: SegmentFiltersProps) {
  const t = useMessages(segmentMessages)
  const { keyword = '', status = '', canListSegments } = source
  const [openedCount, setOpenedCount] = useState(0)
  const search = (words: string) => {
    const id = Id.safeParse(words)
    if (!id.success) return onFilter({ keyword: words })
    setOpenedCount((count) => count + 1)
    onOpenId(id.data)
  }
  return (
    <Stack className={`${classes.band} ${classes.filters}`} gap="xs">
      {/* Empty again after an id was opened. */}
      <SearchField key={openedCount} label={t('searchSegments')} value={keyword} hasShortcut onSearch={search} />
      <NativeSelect
        aria-label={t(canListSegments ? 'state' : 'stateSeen')}
        title={canListSegments ? undefined : t('stateSeen')}
        value={status}
        data={[{ value: '', label: t('anyState') }, ...SEGMENT_STATUSES]}
        onChange={(event) => onFilter({ status: event.currentTarget.value })}
      />
    </Stack>
  )
}

function NoSegments({ isFiltered, source }: { isFiltered: boolean; source: SegmentSource }) {
  const t = useMessages(segmentMessages)
  return (
    <Stack gap={4} p="md">
      <Text fz="sm" fw={550}>
        {isFiltered ? t('noneFiltered') : t('noSegments')}
      </Text>
      <Text fz="sm" c="dimmed">
        {isFiltered ? null : source.canListSegments ? t('noSegmentsListed') : t('noSegmentsText')}
      </Text>
    </Stack>
  )
}

interface SegmentRowProps {
  source: SegmentSource
  index: number
  current: string | undefined
  getSegmentPath: (segment_id: string) => string
  onOpen: (segment_id: string, index: number) => void
  /** The selected ones; null where nothing can be done with a selection. */
  selected: ReadonlySet<string> | null
  onSelect: (segment_id: string, index: number, isRange: boolean) => void
  drafts: ReadonlySet<string>
}

/** One row of the list; it reads its own page. */
const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const { source, index, current, getSegmentPath, onOpen, selected, onSelect, drafts } = props
  const t = useMessages(segmentMessages)
  const { rows } = useSegmentPage(source, Math.floor(index / SEGMENTS_PER_PAGE) + 1)
  const row = rows?.[index % SEGMENTS_PER_PAGE]
  if (!row) return <div className={classes.ghost} aria-hidden="true" />
  const { id, label, segment } = row
  const title = (segment?.content ?? label)?.trim().slice(0, 80) || id.slice(0, 8)
  const children = Array.isArray(segment?.child_chunks) ? segment.child_chunks.length : 0
  return (
    <div
      role="listitem"
      className={classes.row}
      data-selected={selected?.has(id) || undefined}
      {...listRowAttributes(index, id)}
    >
      {selected ? (
        <Checkbox
          size="xs"
          aria-label={t('selectSegment', { title })}
          checked={selected.has(id)}
          onChange={(event) => onSelect(id, index, (event.nativeEvent as MouseEvent).shiftKey)}
        />
      ) : null}
      <Link to={getSegmentPath(id)} aria-current={id === current || undefined} onClick={() => onOpen(id, index)}>
        <span>{segment?.position ?? ''}</span>
        <b>{title}</b>
        <span>
          {drafts.has(id) ? <StatusBadge status="not saved" isPlain /> : null}
          {segment?.status && segment.status !== 'completed' ? <StatusBadge status={segment.status} isPlain /> : null}
          {segment?.enabled === false ? <StatusBadge status="disabled" isPlain /> : null}
          {segment?.word_count == null ? null : <span>{t('wordsOf', { n: segment.word_count })}</span>}
          {children > 0 ? <span>{t('childrenOf', { n: children })}</span> : null}
          {segment?.hit_count ? <span>{t('hitsOf', { n: segment.hit_count })}</span> : null}
        </span>
      </Link>
    </div>
  )
})
