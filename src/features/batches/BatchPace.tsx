import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { Batch } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import fields from '../../ui/fields/Fields.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { BoundsFields } from './BoundsFields.tsx'
import { batchesWords } from './messages.ts'

/** The pace and the bounds of a batch, changed while it goes. */
export function BatchPace({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const t = useWords(batchesWords)
  const [bounds, setBounds] = useState(batch.bounds)
  const update = useWrite(contract.console.updateBatch)
  return (
    <Modal opened onClose={onClose} title={t('pace')} size="lg" closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        className={fields.form}
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate({ params: { batch_id: batch.id }, body: bounds }, { onSuccess: onClose })
        }}
      >
        <BoundsFields bounds={bounds} onBounds={setBounds} />
        {update.error ? <ProblemNote problem={update.error.problem} what={t('changeWhat')} /> : null}
        <div className={fields.buttons}>
          <Button type="submit" loading={update.isPending}>
            {t('save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
