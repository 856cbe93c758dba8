import { NativeSelect } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { VList, type VListHandle } from 'virtua'
import { paths } from '../../paths.ts'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import classes from './Document.module.css'
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
}

const STATES = ['waiting', 'indexing', 'completed', 'error', 're_segment']

/** The segments of a document: all of them where the platform lists them, else those that this console has met. */
export function SegmentList({ source, current, search, onFilter, onOpen }: SegmentListProps) {
  const t = useTranslations('segments')
  const list = useRef<VListHandle>(null)
  const first = useSegmentPage(source, 1)
  const { keyword = '', status = '', isListed, dataset_id, document_id } = source
  const isFiltered = keyword !== '' || status !== ''
  // What was open before is in the ledger by now, with its record.
  const { refetch } = first
  useEffect(() => {
    if (!isListed && current) void refetch()
  }, [isListed, current, refetch])
  useEffect(() => list.current?.scrollTo(0), [keyword, status])
  const title = isListed ? t('segments') : t('segmentsSeen')
  return (
    <section className={classes.segments} aria-label={title}>
      <h2>
        {title} {first.total ? <span className={classes.count}>{first.total.toLocaleString('en')}</span> : null}
      </h2>
      <div className={classes.filters}>
        <SearchField
          label={t('searchSegments')}
          value={keyword}
          hotkey
          onSearch={(words) => onFilter({ keyword: words })}
        />
        <NativeSelect
          aria-label={t(isListed ? 'state' : 'stateSeen')}
          title={isListed ? undefined : t('stateSeen')}
          value={status}
          data={[{ value: '', label: t('anyState') }, ...STATES]}
          onChange={(event) => onFilter({ status: event.currentTarget.value })}
        />
      </div>
      {first.problem ? (
        <ProblemNote problem={first.problem} what={t('segmentsWhat')} onRetry={() => void first.refetch()} />
      ) : null}
      {first.total === null && !first.problem ? <SkeletonRows rows={5} /> : null}
      {first.total === 0 ? (
        <p className={classes.none}>
          <strong>{isFiltered ? t(status ? 'noneFiltered' : 'noneFound') : t('noSegments')}</strong>
          {isFiltered ? null : isListed ? t('noSegmentsListed') : t('noSegmentsText')}
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
              toOf={(id) => paths.document(dataset_id, document_id, { ...search, segment: id })}
            />
          )}
        </VList>
      ) : null}
      <OpenSegment onOpen={onOpen} />
    </section>
  )
}
