import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconPlayerPause, IconPlayerPlay, IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { type Batch, BATCH_EXPORT_FORMATS, batchExportPath, batchEndpoints } from '#contract/console/batches.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import classes from './Batch.module.css'
import { batchMessages } from './messages.ts'
import { Can } from '../../client/Can.tsx'
import { Dialog } from '../../components/overlays/Dialog.tsx'
import fields from '../../components/forms/Fields.module.css'
import { BatchLimitFields } from './BatchLimitFields.tsx'
import { DeleteDialog } from '../../components/overlays/DeleteDialog.tsx'

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

/** Changes the speed and the limits of a running batch. */
function BatchLimitsDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const t = useMessages(batchMessages)
  const [limits, setLimits] = useState(batch.bounds)
  const update = useWrite(batchEndpoints.updateBatch)
  return (
    <Dialog onClose={onClose} title={t('pace')} size="lg">
      <form
        className={fields.form}
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate({ params: { batch_id: batch.id }, body: limits }, { onSuccess: onClose })
        }}
      >
        <BatchLimitFields limits={limits} onLimits={setLimits} />
        {update.error ? <ProblemAlert problem={update.error.problem} action={t('changeWhat')} /> : null}
        <div className={fields.buttons}>
          <Button type="submit" loading={update.isPending}>
            {t('save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Confirms deleting a batch, and explains what is deleted and what remains. */
function DeleteBatch({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const t = useMessages(batchMessages)
  const navigate = useNavigate()
  const remove = useWrite(batchEndpoints.deleteBatch)
  const submit = () =>
    remove.mutate(
      { params: { batch_id: batch.id } },
      { onSuccess: () => void navigate(paths.batches({ workspace: batch.workspace }), { replace: true }) },
    )
  return (
    <DeleteDialog
      title={t('deleteTitle', { name: batch.name })}
      confirmLabel={t('deleteDo')}
      cancelLabel={t('cancel')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      action={t('deleteWhat')}
      onDelete={submit}
      onClose={onClose}
      lost={[t('deleteLost', { n: batch.total })]}
      kept={[t('deleteKept')]}
    />
  )
}
