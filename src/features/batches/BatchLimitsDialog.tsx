import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Batch, batchEndpoints } from '#contract/console/batches.ts'
import { Dialog } from '../../components/overlays/Dialog.tsx'
import fields from '../../components/forms/Fields.module.css'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import { BatchLimitFields } from './BatchLimitFields.tsx'
import { batchMessages } from './messages.ts'

/** Changes the speed and the limits of a running batch. */
export function BatchLimitsDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
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
