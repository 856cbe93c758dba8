import { Button, Progress } from '@mantine/core'
import { useState } from 'react'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { DeleteSegmentDialog } from '../DeleteSegmentDialog.tsx'
import classes from '../Document.module.css'
import { segmentMessages } from '../messages.ts'
import type { useBulkSegmentAction } from './useBulkSegmentAction.ts'
import type { SegmentSelection } from './useSegmentSelection.ts'

export interface SegmentBulkBarProps {
  selection: SegmentSelection
  bulk: ReturnType<typeof useBulkSegmentAction>
  capabilities: readonly string[]
}

/** What can be done with the selected segments, and below it how far it is and what was refused. */
export function SegmentBulkBar({ selection, bulk, capabilities }: SegmentBulkBarProps) {
  const t = useMessages(segmentMessages)
  const [isDeleting, setDeleting] = useState(false)
  const ids = [...selection.ids]
  const isBusy = bulk.progress !== null && !bulk.progress.isFinished
  return (
    <>
      {ids.length > 0 ? (
        <div className={classes.bulk} role="toolbar" aria-label={t('bulkActions')}>
          <b>{t('selected', { n: ids.length })}</b>
          {capabilities.includes('updateSegment') ? (
            <>
              <Button size="compact-xs" variant="default" disabled={isBusy} onClick={() => bulk.run('enable', ids)}>
                {t('enable')}
              </Button>
              <Button size="compact-xs" variant="default" disabled={isBusy} onClick={() => bulk.run('disable', ids)}>
                {t('disable')}
              </Button>
            </>
          ) : null}
          {capabilities.includes('deleteSegment') ? (
            <Button size="compact-xs" variant="default" disabled={isBusy} onClick={() => setDeleting(true)}>
              {t('delete')}
            </Button>
          ) : null}
          <Button size="compact-xs" variant="subtle" color="gray" disabled={isBusy} onClick={selection.clear}>
            {t('clearSelection')}
          </Button>
        </div>
      ) : null}
      {selection.problem ? <ProblemAlert problem={selection.problem} action={t('segmentsWhat')} /> : null}
      {bulk.progress ? <BulkProgress bulk={bulk} progress={bulk.progress} /> : null}
      {isDeleting ? (
        <DeleteSegmentDialog
          title={t('deleteSeveralTitle', { n: ids.length })}
          onClose={() => setDeleting(false)}
          onDelete={() => {
            setDeleting(false)
            bulk.run('delete', ids)
          }}
        />
      ) : null}
    </>
  )
}

type Bulk = ReturnType<typeof useBulkSegmentAction>

function BulkProgress({ bulk, progress }: { bulk: Bulk; progress: NonNullable<Bulk['progress']> }) {
  const t = useMessages(segmentMessages)
  const { action, total, done, failures, isFinished } = progress
  const first = failures[0]
  return (
    <div className={classes.bulkProgress} role="status">
      {isFinished ? null : <Progress value={(100 * done) / total} aria-label={t('bulkActions')} />}
      <div className={classes.bulkLine}>
        <span>
          {isFinished
            ? t('bulkDone', { action, n: total - failures.length, failed: failures.length })
            : t('bulkProgress', { done, total })}
        </span>
        {failures.length > 0 && isFinished ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() =>
              bulk.run(
                action,
                failures.map(({ id }) => id),
              )
            }
          >
            {t('retry')}
          </Button>
        ) : null}
        {isFinished ? (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={bulk.dismiss}>
            {t('closeRun')}
          </Button>
        ) : null}
      </div>
      {first ? <ProblemAlert problem={first.problem} action={t('changeWhat')} /> : null}
    </div>
  )
}
