import { ActionIcon, Box, Button, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconPlayerPause, IconPlayerPlay, IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { type Batch, BATCH_EXPORT_FORMATS, batchExportPath, batchEndpoints } from '#contract/console/batches.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import { batchMessages } from './messages.ts'
import { Can } from '../../client/Can.tsx'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { useContractForm } from '../../components/forms/useContractForm.ts'
import { BatchLimitFields } from './BatchLimitFields.tsx'
import { useDeleteDialog } from '../../components/overlays/useDeleteDialog.ts'

const RETRY_MESSAGES = { failed: 'retryFailed', stopped: 'retryStopped', unknown: 'retryUnknown' } as const

/** The actions that the state of a batch allows. */
export function BatchActions({ batch }: { batch: Batch }) {
  const t = useMessages(batchMessages)
  const params = { batch_id: batch.id }
  const start = useWrite(batchEndpoints.startBatch)
  const pause = useWrite(batchEndpoints.pauseBatch)
  const cancel = useWrite(batchEndpoints.cancelBatch)
  const retry = useWrite(batchEndpoints.retryBatch)
  const [isPaceOpen, setPaceOpen] = useState(false)
  const navigate = useNavigate()
  const remove = useWrite(batchEndpoints.deleteBatch, {
    onDone: () => void navigate(paths.batches({ workspace: batch.workspace }), { replace: true }),
  })
  const openDelete = useDeleteDialog()
  const askDelete = () =>
    openDelete({
      title: t('deleteTitle', { name: batch.name }),
      lost: [t('deleteLost', { n: batch.total })],
      kept: [t('deleteKept')],
      confirmLabel: t('deleteDo'),
      cancelLabel: t('cancel'),
      action: t('deleteWhat'),
      run: () => remove.mutateAsync({ params }),
    })
  // The notes on the other pauses have their own buttons.
  const isResumed = batch.pause === 'person' || batch.pause === 'no_access'
  const retryStates = (['failed', 'stopped', 'unknown'] as const).filter((state) => batch.counts[state] > 0)
  const problem = start.error?.problem ?? pause.error?.problem ?? cancel.error?.problem ?? retry.error?.problem
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
            <Menu.Item onClick={() => setPaceOpen(true)}>{t('changePace')}</Menu.Item>
            {batch.counts.waiting > 0 && batch.state !== 'filling' ? (
              <Menu.Item onClick={() => cancel.mutate({ params })}>
                {t('cancelWaiting', { n: batch.counts.waiting })}
              </Menu.Item>
            ) : null}
            <Menu.Item disabled={batch.state === 'running'} onClick={askDelete}>
              {t('delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Can>
      {isPaceOpen ? <BatchLimitsDialog batch={batch} onClose={() => setPaceOpen(false)} /> : null}
      {problem ? (
        <Box pos="absolute" top={56} right={16} maw="min(480px, calc(100% - 32px))" style={{ zIndex: 2 }}>
          <ProblemAlert problem={problem} action={t('changeWhat')} />
        </Box>
      ) : null}
    </>
  )
}

/** Changes the speed and the limits of a running batch. */
function BatchLimitsDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const t = useMessages(batchMessages)
  const update = useWrite(batchEndpoints.updateBatch)
  const form = useContractForm({
    schema: batchEndpoints.updateBatch.body,
    initialValues: { limits: batch.bounds },
    toBody: ({ limits }) => limits,
    send: (body) => update.mutateAsync({ params: { batch_id: batch.id }, body }),
    onDone: onClose,
  })
  const { value, onChange } = form.controlled('limits')
  return (
    <FormDialog
      form={form}
      title={t('pace')}
      size="lg"
      submitLabel={t('save')}
      action={t('changeWhat')}
      onClose={onClose}
    >
      <BatchLimitFields limits={value} onLimits={onChange} />
    </FormDialog>
  )
}
