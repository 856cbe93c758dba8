import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import { Empty } from '../../ui/Empty.tsx'
import { IdChip } from '../../ui/IdChip.tsx'
import { Metric } from '../../ui/Metric.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { RawJson } from '../../ui/RawJson.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useRead } from '../../wire/query.ts'
import { ChildChunks } from './ChildChunks.tsx'
import classes from './Document.module.css'
import type { ChildChunkRecord, DocumentRecord } from '#contract/records.ts'
import { SegmentText } from './SegmentText.tsx'

export interface SegmentPaneProps {
  input: { dataset_id: string; document_id: string; segment_id: string | undefined }
  keyId: string | undefined
  /** The document, for its `doc_form` where the segment's answer does not say it. */
  record: DocumentRecord | null
}

/** The chosen segment as the platform has it now (operation 7). A child chunk that is selected is marked in its text. */
export function SegmentPane({ input, keyId, record }: SegmentPaneProps) {
  const t = useTranslations('segments')
  const [child, setChild] = useState<ChildChunkRecord | null>(null)
  const { segment_id } = input
  const { data, error, refetch } = useRead(
    contract.segments.read,
    { key: keyId, params: { ...input, segment_id: segment_id ?? '' } },
    { enabled: segment_id !== undefined },
  )
  if (!segment_id)
    return (
      <section className={classes.segment} aria-label={t('segmentUnnumbered')}>
        <Empty title={t('chooseSegment')}>{t('chooseSegmentText')}</Empty>
      </section>
    )
  const segment = data?.data
  const title = segment?.position == null ? t('segmentUnnumbered') : t('segment', { position: segment.position })
  const hasChildren = (data?.doc_form ?? record?.doc_form) === 'hierarchical_model'
  return (
    <section className={classes.segment} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {segment?.status && segment.status !== 'completed' ? <StateBadge word={segment.status} /> : null}
        <IdChip id={segment_id} />
        {segment ? (
          <span className={classes.metrics}>
            <Metric label="word_count" value={segment.word_count?.toLocaleString()} />
            <Metric label="tokens" value={segment.tokens?.toLocaleString()} />
            <Metric label="hit_count" value={segment.hit_count?.toLocaleString()} />
          </span>
        ) : null}
      </header>
      {error ? <ProblemNote problem={error.problem} what={t('segmentWhat')} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <SkeletonRows rows={6} /> : null}
      {segment ? (
        <>
          {segment.error ? <p className={classes.error}>{t('documentError', { error: segment.error })}</p> : null}
          <SegmentText text={segment.content ?? ''} marked={child?.content ?? ''} />
          {segment.answer ? (
            <>
              <h3>{t('answer')}</h3>
              <SegmentText text={segment.answer} />
            </>
          ) : null}
          {segment.keywords && segment.keywords.length > 0 ? (
            <p className={classes.keywords}>
              {t('keywords')}{' '}
              {segment.keywords.map((keyword) => (
                <code key={keyword}>{keyword}</code>
              ))}
            </p>
          ) : null}
          {hasChildren ? (
            <ChildChunks input={{ ...input, segment_id }} keyId={keyId} marked={child} onMark={setChild} />
          ) : null}
          <details className={classes.record}>
            <summary>{t('record')}</summary>
            <RawJson value={data} label={t('record')} />
          </details>
        </>
      ) : null}
    </section>
  )
}
