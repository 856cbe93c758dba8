import { useEffect } from 'react'
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
import { segmentOf, type SegmentRecord } from '#contract/records.ts'

export interface SegmentListProps {
  dataset_id: string
  document_id: string
  workspace: string | undefined
  current: string | undefined
  keyId: string | undefined
  /** As it stands in the URL. */
  page: string | undefined
  onPage: (page: number) => void
  onOpen: (segment_id: string) => void
}

/** The segments of a document that this console has met; the interface has no list of them. */
export function SegmentList(props: SegmentListProps) {
  const { dataset_id, document_id, workspace, current, keyId, page, onPage, onOpen } = props
  const t = useTranslations('segments')
  const { data, error, refetch } = useRead(
    contract.console.listThings,
    { query: { kind: 'segment', parent: document_id, workspace, page, limit: 100 } },
    { enabled: workspace !== undefined },
  )
  const open = useRead(
    contract.segments.read,
    { key: keyId, params: { dataset_id, document_id, segment_id: current ?? '' } },
    { enabled: current !== undefined },
  )
  // What was open before is in the ledger by now, with its record.
  useEffect(() => {
    if (workspace && current) void refetch()
  }, [workspace, current, refetch])
  const rows = data && rowsOf(data.data, open.data?.data)
  return (
    <section className={classes.segments} aria-label={t('segmentsSeen')}>
      <h2>
        {t('segmentsSeen')} {data && data.total > 0 ? <span className={classes.count}>{data.total}</span> : null}
      </h2>
      {error ? <ProblemNote problem={error.problem} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <SkeletonRows rows={5} /> : null}
      {rows?.length === 0 ? (
        <p className={classes.none}>
          <strong>{t('noSegments')}</strong>
          {t('noSegmentsText')}
        </p>
      ) : null}
      {rows && rows.length > 0 ? (
        <ul>
          {rows.map((row) => (
            <li key={row.id}>
              <SegmentLink
                row={row}
                to={paths.document(dataset_id, document_id, {
                  ...(workspace ? { workspace } : {}),
                  segment: row.id,
                })}
                isCurrent={row.id === current}
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

interface Row {
  id: string
  label: string | null
  segment: SegmentRecord | null
}

/** By position. The segment that is open has been read just now, before the ledger tells of it. */
function rowsOf(things: readonly Thing[], read: SegmentRecord | undefined): Row[] {
  const rows = things
    .filter(({ id }) => id !== read?.id)
    .map(({ id, label, payload }): Row => ({ id, label, segment: segmentOf(payload) }))
  const place = ({ segment }: Row) => segment?.position ?? Number.MAX_SAFE_INTEGER
  return [...rows, ...(read ? [{ id: read.id, label: null, segment: read }] : [])].sort(
    (one, other) => place(one) - place(other),
  )
}

function SegmentLink({ row, to, isCurrent }: { row: Row; to: string; isCurrent: boolean }) {
  const t = useTranslations('segments')
  const { id, label, segment } = row
  const title = (segment?.content ?? label)?.trim().slice(0, 80)
  return (
    <Link to={to} aria-current={isCurrent || undefined}>
      <span className={classes.place}>{segment?.position ?? ''}</span>
      <b>{title || id.slice(0, 8)}</b>
      <span className={classes.counts}>
        {segment?.status && segment.status !== 'completed' ? <StateBadge word={segment.status} plain /> : null}
        {segment?.word_count == null ? null : <span>{t('wordsOf', { n: segment.word_count })}</span>}
        {segment?.hit_count == null ? null : <span>{t('hitsOf', { n: segment.hit_count })}</span>}
      </span>
    </Link>
  )
}
