import { CloseButton, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { batchEndpoints, type Batch } from '#contract/console/batches.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { paths } from '#domain/paths.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { annotationMessages } from '../messages.ts'

interface ImportResultProps {
  batch_id: string
  /** Called when rows were added since the last look. */
  onAdded: () => void
  onClose: () => void
}

const POLL_INTERVAL_MS = 1_000

/** The import that was just started, above the list: its progress, then what became of its rows. */
export function ImportResult({ batch_id, onAdded, onClose }: ImportResultProps) {
  const t = useMessages(annotationMessages)
  const read = useRead(
    batchEndpoints.readBatch,
    { params: { batch_id } },
    { pollIntervalMs: (reply) => (reply && reply.state !== 'running' ? false : POLL_INTERVAL_MS) },
  )
  const added = read.data?.counts.succeeded ?? 0
  const lastAdded = useRef(0)
  useEffect(() => {
    if (added === lastAdded.current) return
    lastAdded.current = added
    onAdded()
  }, [added, onAdded])
  return (
    <ReadBoundary read={read} action={t('importWhat')} loading={null}>
      {(batch) => {
        const waiting = batch.counts.waiting + batch.counts.running
        const title = t('importTitle', { name: batch.name })
        return (
          <Paper component="section" radius="md" bg="var(--canvas)" m="md" mb={0} px="md" py="sm" aria-label={title}>
            <Stack gap="xs" fz="sm">
              <Group gap="md">
                <StatusBadge {...getBatchStatus(batch)} isPlain />
                <Text fz="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                  {title}
                </Text>
                <span role="status">
                  {waiting > 0 ? (
                    t('importRunning', { done: batch.total - waiting, total: batch.total })
                  ) : (
                    <ImportSummary batch={batch} />
                  )}
                </span>
                <Link to={paths.batch(batch_id, { workspace: batch.workspace })}>{t('importDetails')}</Link>
                <CloseButton size="sm" ms="auto" aria-label={t('dismiss')} onClick={onClose} />
              </Group>
              {waiting > 0 ? (
                <Progress size="xs" value={((batch.total - waiting) / batch.total) * 100} aria-label={title} />
              ) : null}
              {batch.problem ? (
                <Text fz="sm" c="dimmed">
                  {batch.problem.message}
                </Text>
              ) : null}
            </Stack>
          </Paper>
        )
      }}
    </ReadBoundary>
  )
}

/** The outcome of the rows of an import: "46 added, 3 skipped, 1 duplicate". */
export function ImportSummary({ batch: { counts, omitted } }: { batch: Pick<Batch, 'counts' | 'omitted'> }) {
  const t = useMessages(annotationMessages)
  const parts = [
    t('importedRows', { n: counts.succeeded }),
    ...(
      [
        ['failedRows', counts.failed + counts.stopped],
        ['unknownRows', counts.unknown],
        ['waitingRows', counts.waiting + counts.running],
        ['omittedRows', omitted?.invalid ?? 0],
        ['duplicateRows', omitted?.duplicate ?? 0],
      ] as const
    ).flatMap(([name, n]) => (n > 0 ? [t(name, { n })] : [])),
  ]
  return <>{parts.join(', ')}</>
}
