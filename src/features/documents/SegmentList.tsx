import { useTranslations } from 'use-intl'
import { Link } from 'react-router'
import type { Thing } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { Pager } from '../../ui/Pager.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useRead } from '../../wire/query.ts'
import classes from './Document.module.css'
import { OpenSegment } from './OpenSegment.tsx'
import { segmentOf } from './record.ts'

export interface SegmentListProps {
  dataset_id: string
  document_id: string
  workspace: string | undefined
  current: string | undefined
  /** As it stands in the URL. */
  page: string | undefined
  onPage: (page: number) => void
  onOpen: (segment_id: string) => void
}

/** The segments of a document that this console has met; the interface has no list of them. */
export function SegmentList({ dataset_id, document_id, workspace, current, page, onPage, onOpen }: SegmentListProps) {
  const t = useTranslations('documents')
  const { data, error, refetch } = useRead(
    contract.console.listThings,
    { query: { kind: 'segment', parent: document_id, workspace, page, limit: 100 } },
    { enabled: workspace !== undefined },
  )
  const things = data?.data.toSorted((one, other) => placeOf(one) - placeOf(other))
  return (
    <section className={classes.segments} aria-label={t('segmentsSeen')}>
      <h2>
        {t('segmentsSeen')} {data && data.total > 0 ? <span className={classes.count}>{data.total}</span> : null}
      </h2>
      {error ? <ProblemNote problem={error.problem} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <SkeletonRows rows={5} /> : null}
      {data?.total === 0 ? (
        <p className={classes.none}>
          <strong>{t('noSegments')}</strong>
          {t('noSegmentsText')}
        </p>
      ) : null}
      {things && things.length > 0 ? (
        <ul>
          {things.map((thing) => (
            <li key={thing.id}>
              <SegmentLink
                thing={thing}
                to={paths.document(dataset_id, document_id, { workspace: thing.workspace, segment: thing.id })}
                isCurrent={thing.id === current}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {data && data.total > data.limit ? <Pager {...data} onPage={onPage} /> : null}
      <OpenSegment onOpen={onOpen} />
    </section>
  )
}

const placeOf = (thing: Thing): number => segmentOf(thing.payload)?.position ?? Number.MAX_SAFE_INTEGER

function SegmentLink({ thing, to, isCurrent }: { thing: Thing; to: string; isCurrent: boolean }) {
  const t = useTranslations('documents')
  const segment = segmentOf(thing.payload)
  const title = (segment?.content ?? thing.label)?.trim().slice(0, 80)
  return (
    <Link to={to} aria-current={isCurrent || undefined}>
      <span className={classes.place}>{segment?.position ?? ''}</span>
      <b>{title || thing.id.slice(0, 8)}</b>
      <span className={classes.counts}>
        {segment?.status && segment.status !== 'completed' ? <StateBadge word={segment.status} plain /> : null}
        {segment?.word_count == null ? null : <span>{t('wordsOf', { n: segment.word_count })}</span>}
        {segment?.hit_count == null ? null : <span>{t('hitsOf', { n: segment.hit_count })}</span>}
      </span>
    </Link>
  )
}
