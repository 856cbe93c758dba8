import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconPlayerPause, IconPlayerPlay, IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import { BatchLimitsDialog } from './BatchLimitsDialog.tsx'
import classes from './Batch.module.css'
import { DeleteBatch } from './DeleteBatch.tsx'
import { batchMessages } from './messages.ts'
import { Can } from '../../client/Can.tsx'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { type Batch, BATCH_EXPORT_FORMATS, batchExportPath, batchEndpoints } from '#contract/console/batches.ts'

const RETRY_MESSAGES = { failed: 'retryFailed', stopped: 'retryStopped', unknown: 'retryUnknown' } as const

/** The actions that the state of a batch allows. */
export function BatchActions({ batch }: { batch: Batch }) {
  const t = useMessages(batchMessages)
  const start = useWrite(batchEndpoints.startBatch)
  const pause = useWrite(batchEndpoints.pauseBatch)
  const retry = useWrite(batchEndpoints.retryBatch)
  const [open, setOpen] = useState<'pace' | 'delete' | null>(null)
  const params = { batch_id: batch.id }
  // The notes on the other pauses have their own buttons.
  const isResumed = batch.pause === 'person' || batch.pause === 'no_access'
  const retryStates = (['failed', 'stopped', 'unknown'] as const).filter((state) => batch.counts[state] > 0)
  const problem = start.error?.problem ?? pause.error?.problem ?? retry.error?.problem
  return (
    <>
      <Can entry={batchEndpoints.startBatch}>
        {batch.state === 'running' ? (
          <Button
            leftSection={<IconPlayerPause size={14} />}
            loading={pause.isPending}
            onClick={() => pause.mutate({ params })}
          >
            {t('pause')}
          </Button>
        ) : null}
        {batch.state === 'paused' && (isResumed || batch.pause === 'not_started') ? (
          <Button
            leftSection={<IconPlayerPlay size={14} />}
            loading={start.isPending}
            onClick={() => start.mutate({ params, body: {} })}
          >
            {t(isResumed ? 'resume' : 'start')}
          </Button>
        ) : null}
        {retryStates.length > 0 && batch.state !== 'running' ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" leftSection={<IconRepeat size={14} />} loading={retry.isPending}>
                {t('retry')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {retryStates.map((state) => (
                <Menu.Item key={state} onClick={() => retry.mutate({ params, body: { states: [state] } })}>
                  {t(batch.kind === 'annotations' && state === 'unknown' ? 'retryUnknownMade' : RETRY_MESSAGES[state], {
                    n: batch.counts[state],
                  })}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </Can>
      <Can entry={EXPORT_PERMISSION}>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<IconDownload size={14} />}>
              {t('export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {BATCH_EXPORT_FORMATS.map((format) => (
              <Menu.Item key={format} component="a" href={batchExportPath(batch.id, format)} download>
                {t(`exportFormats.${format}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Can>
      <Can entry={batchEndpoints.updateBatch}>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={t('more')} title={t('more')}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setOpen('pace')}>{t('changePace')}</Menu.Item>
            <Menu.Item disabled={batch.state === 'running'} onClick={() => setOpen('delete')}>
              {t('delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Can>
      {open === 'pace' ? <BatchLimitsDialog batch={batch} onClose={() => setOpen(null)} /> : null}
      {open === 'delete' ? <DeleteBatch batch={batch} onClose={() => setOpen(null)} /> : null}
      {problem ? (
        <div className={classes.deedProblem}>
          <ProblemAlert problem={problem} action={t('changeWhat')} />
        </div>
      ) : null}
    </>
  )
}
