import { NativeSelect } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { VList, type VListHandle } from 'virtua'
import { contract } from '#contract/index.ts'
import { paths } from '#domain/paths.ts'
import { SearchField } from '../../../components/forms/SearchField.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import classes from './Document.module.css'
import { segmentMessages } from './messages.ts'
import { OpenSegment } from './OpenSegment.tsx'
import { SegmentRow } from './SegmentRow.tsx'
import { type SegmentSource, useSegmentPage } from './useSegmentPage.ts'

export interface SegmentListProps {
  source: SegmentSource
  current: string | undefined
  /** What stands in the URL beside the segment. */
  search: Record<string, string | undefined>
  onFilter: (filter: { keyword?: string; status?: string }) => void
  onOpen: (segment_id: string) => void
  /** Stands beside the heading. */
  actions?: ReactNode
}

const SEGMENT_STATUSES = ['waiting', 'indexing', 'completed', 'error', 're_segment']

/** The segments of a document: all of them where the platform lists them, else those that this console has met. */
export function SegmentList({ source, current, search, onFilter, onOpen, actions }: SegmentListProps) {
  const t = useMessages(segmentMessages)
  const list = useRef<VListHandle>(null)
  const first = useSegmentPage(source, 1)
  const { keyword = '', status = '', canListSegments, dataset_id, document_id } = source
  const isFiltered = keyword !== '' || status !== ''
  // Where none are listed, one that is open is in the ledger as soon as the platform has answered.
  const { refetch } = first
  const open = useRead(
    contract.segments.read,
    { key: source.keyId, params: { dataset_id, document_id, segment_id: current ?? '' } },
    { enabled: !canListSegments && current !== undefined },
  )
  const ledgerRead = open.data?.data.id
  useEffect(() => {
    if (!canListSegments && ledgerRead) void refetch()
  }, [canListSegments, ledgerRead, refetch])
  useEffect(() => {
    // What it gives back is no cleanup: browsers have begun to answer a scroll with a promise.
    list.current?.scrollTo(0)
  }, [keyword, status])
  const title = canListSegments ? t('segments') : t('segmentsSeen')
  return (
    <section className={classes.segments} aria-label={title} data-alone={!current || undefined}>
      <div className={classes.listHead}>
        <h2>
          {title} {first.total ? <span className={classes.count}>{first.total.toLocaleString('en')}</span> : null}
        </h2>
        {actions}
      </div>
      <div className={classes.filters}>
        <SearchField
          label={t('searchSegments')}
          value={keyword}
          hasShortcut
          onSearch={(words) => onFilter({ keyword: words })}
        />
        <NativeSelect
          aria-label={t(canListSegments ? 'state' : 'stateSeen')}
          title={canListSegments ? undefined : t('stateSeen')}
          value={status}
          data={[{ value: '', label: t('anyState') }, ...SEGMENT_STATUSES]}
          onChange={(event) => onFilter({ status: event.currentTarget.value })}
        />
      </div>
      {first.problem ? (
        <ProblemAlert problem={first.problem} action={t('segmentsWhat')} onRetry={() => void first.refetch()} />
      ) : null}
      {first.total === null && !first.problem ? <SkeletonRows rows={5} /> : null}
      {first.total === 0 ? (
        <p className={classes.none}>
          <strong>{isFiltered ? t(status ? 'noneFiltered' : 'noneFound') : t('noSegments')}</strong>
          {isFiltered ? null : canListSegments ? t('noSegmentsListed') : t('noSegmentsText')}
        </p>
      ) : null}
      {first.total ? (
        <VList
          ref={list}
          role="list"
          className={classes.rows}
          data={[...Array(first.total).keys()]}
          itemSize={50}
          tabIndex={0}
          aria-label={title}
        >
          {(index) => (
            <SegmentRow
              key={index}
              source={source}
              index={index}
              current={current}
              getSegmentPath={(id) => paths.document(dataset_id, document_id, { ...search, segment: id })}
            />
          )}
        </VList>
      ) : null}
      <OpenSegment onOpen={onOpen} />
    </section>
  )
}
