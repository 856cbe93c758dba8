import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import { getChunkCoverage } from '#domain/chunking/chunkCoverage.ts'
import type { ChildChunkRecord, DocumentRecord, SegmentRecord } from '#domain/documentRecord.ts'
import { FieldLabel } from '../../../components/forms/FieldLabel.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { ChildChunks } from './ChildChunks.tsx'
import { type SegmentTarget, useChildChunks } from './useChildChunks.ts'
import classes from './Document.module.css'
import { segmentMessages } from './messages.ts'
import { ChunkRanges } from './ChunkRanges.tsx'
import { SegmentActions } from './SegmentActions.tsx'
import { StaleChildrenNote } from './StaleChildrenNote.tsx'
import { Can } from '../../../client/Can.tsx'

export interface SegmentPaneProps {
  input: { dataset_id: string; document_id: string; segment_id: string | undefined }
  keyId: string | undefined
  workspace: string | undefined
  capabilities: readonly string[]
  /** The document, for its `doc_form` where the segment's answer does not say it. */
  record: DocumentRecord | null
  child: string | undefined
  /** Navigation to the list and the neighbours if the list is not next to it. */
  navigation?: ReactNode
  /** Opens a child in the editor; `new` for a new one, null for none. */
  onChild: (child_chunk_id: string | null) => void
  onEdit: () => void
  onDeleted: () => void
}

/** The current state of the chosen segment (operation 7), with its children marked as ranges. */
export function SegmentPane(props: SegmentPaneProps) {
  const { input, keyId, workspace, capabilities, record, child, navigation, onChild, onEdit, onDeleted } = props
  const t = useMessages(segmentMessages)
  const { segment_id = '' } = input
  const params: SegmentTarget = { ...input, segment_id }
  const read = useRead(segmentEndpoints.read, { key: keyId, params }, { enabled: segment_id !== '' })
  const { data } = read
  const segment = data?.data
  const hasChildren = (data?.doc_form ?? record?.doc_form) === 'hierarchical_model'
  const children = useChildChunks(keyId, params, hasChildren && segment !== undefined)
  if (segment_id === '')
    return (
      <section className={classes.segment} aria-label={t('segmentUnnumbered')}>
        <EmptyState title={t('chooseSegment')}>{t('chooseSegmentText')}</EmptyState>
      </section>
    )
  const title = segment?.position == null ? t('segmentUnnumbered') : t('segment', { position: segment.position })
  return (
    <section className={classes.segment} aria-label={title}>
      <header className={classes.head}>
        {navigation}
        <Group flex={1} gap="2px 8px" miw={0}>
          <Text component="h2" fw={600}>
            {title}
          </Text>
          {segment?.status && segment.status !== 'completed' ? <StatusBadge status={segment.status} /> : null}
          {segment?.enabled === false ? <StatusBadge status="disabled" /> : null}
          <SegmentFigures segment={segment} children={children.data} id={segment_id} />
        </Group>
        {segment ? (
          <Group gap="xs" ml="auto">
            <SegmentActions {...{ segment, title, keyId, workspace, capabilities, onEdit, onDeleted }} input={params} />
          </Group>
        ) : null}
      </header>
      <ReadBoundary read={read} action={t('segmentWhat')} loading={<SkeletonRows rows={6} />}>
        {(reply) => (
          <>
            <SegmentText
              input={params}
              keyId={keyId}
              segment={reply.data}
              chunks={hasChildren ? children.data : undefined}
              child={child}
              canUpdate={capabilities.includes('updateSegment')}
              onChild={onChild}
            />
            {hasChildren ? (
              <ChildChunks
                input={params}
                keyId={keyId}
                orderedChunks={children.data}
                current={child}
                onOpen={onChild}
                addButton={
                  <Can entry={segmentEndpoints.createChildChunk}>
                    <Button variant="default" onClick={() => onChild('new')}>
                      {t('addChild')}
                    </Button>
                  </Can>
                }
              />
            ) : null}
            <details>
              <Text component="summary" fz="sm" c="dimmed" mb="sm" style={{ cursor: 'pointer' }}>
                {t('record')}
              </Text>
              <RawJson value={reply} label={t('record')} />
            </details>
          </>
        )}
      </ReadBoundary>
    </section>
  )
}

interface SegmentFiguresProps {
  segment: SegmentRecord | undefined
  children: readonly ChildChunkRecord[] | undefined
  id: string
}

function SegmentFigures({ segment, children, id }: SegmentFiguresProps) {
  const t = useMessages(segmentMessages)
  return (
    <Group component="span" gap="0 10px" fz="sm" c="dimmed" w="100%" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {segment?.word_count == null ? null : <span>{t('wordsOf', { n: segment.word_count })}</span>}
      {segment?.tokens == null ? null : <span>{t('tokensOf', { n: segment.tokens })}</span>}
      {segment?.hit_count == null ? null : <span>{t('hitsOf', { n: segment.hit_count })}</span>}
      {children ? <span>{t('childrenOf', { n: children.length })}</span> : null}
      <IdChip id={id} />
    </Group>
  )
}

interface SegmentTextProps {
  input: SegmentTarget
  keyId: string | undefined
  segment: SegmentRecord
  /** Undefined until they are read, and for a segment without any. */
  chunks: readonly ChildChunkRecord[] | undefined
  child: string | undefined
  canUpdate: boolean
  onChild: (child_chunk_id: string) => void
}

function SegmentText({ input, keyId, segment, chunks, child, canUpdate, onChild }: SegmentTextProps) {
  const t = useMessages(segmentMessages)
  const text = segment.content ?? ''
  const coverage = useMemo(() => (chunks ? getChunkCoverage(text, chunks) : null), [text, chunks])
  return (
    <>
      {segment.error ? <Text c="var(--failed-fg)">{t('platformError', { error: segment.error })}</Text> : null}
      {chunks && coverage ? (
        <>
          <StaleChildrenNote {...{ input, keyId, text, chunks, coverage, canUpdate }} onOpen={onChild} />
          <ChunkRanges
            text={text}
            coverage={coverage}
            children={chunks}
            current={chunks.findIndex(({ id }) => id === child)}
            onOpen={onChild}
          />
        </>
      ) : (
        <div className={classes.text} dir="auto">
          {text}
        </div>
      )}
      {segment.answer ? (
        <>
          <Text component="h3" fz={13} fw={600}>
            <FieldLabel name="answer" />
          </Text>
          <div className={classes.text} dir="auto">
            {segment.answer}
          </div>
        </>
      ) : null}
      {segment.keywords && segment.keywords.length > 0 ? (
        <Group className={classes.keywords} gap="xs" fz="sm" c="dimmed">
          <FieldLabel name="keywords" />
          {segment.keywords.map((keyword) => (
            <code key={keyword}>{keyword}</code>
          ))}
        </Group>
      ) : null}
    </>
  )
}
