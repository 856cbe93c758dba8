import { CloseButton, Progress } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { batchEndpoints, type Batch } from '#contract/console/batches.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import classes from '../Annotations.module.css'
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
  const { data, error, refetch } = useRead(
    batchEndpoints.readBatch,
    { params: { batch_id } },
    { pollIntervalMs: (reply) => (reply && reply.state !== 'running' ? false : POLL_INTERVAL_MS) },
  )
  const added = data?.counts.succeeded ?? 0
  const lastAdded = useRef(0)
  useEffect(() => {
    if (added === lastAdded.current) return
    lastAdded.current = added
    onAdded()
  }, [added, onAdded])
  if (error) return <ProblemAlert problem={error.problem} action={t('importWhat')} onRetry={() => void refetch()} />
  if (!data) return null
  const waiting = data.counts.waiting + data.counts.running
  return (
    <section className={classes.importResult} aria-label={t('importTitle', { name: data.name })}>
      <div>
        <StatusBadge {...getBatchStatus(data)} isPlain />
        <b>{t('importTitle', { name: data.name })}</b>
        <span role="status">
          {waiting > 0 ? (
            t('importRunning', { done: data.total - waiting, total: data.total })
          ) : (
            <ImportSummary batch={data} />
          )}
        </span>
        <Link to={paths.batch(batch_id, { workspace: data.workspace })}>{t('importDetails')}</Link>
        <CloseButton size="sm" aria-label={t('dismiss')} onClick={onClose} />
      </div>
      {waiting > 0 ? (
        <Progress
          size="xs"
          value={((data.total - waiting) / data.total) * 100}
          aria-label={t('importTitle', { name: data.name })}
        />
      ) : null}
      {data.problem ? <p>{data.problem.message}</p> : null}
    </section>
  )
}

/** What became of the rows of an import: "46 added, 3 left out, 1 duplicate". */
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
