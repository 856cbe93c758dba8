import { Button, Modal } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import type { Batch } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import fields from '../../ui/fields/Fields.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWrite } from '../../wire/query.ts'

/** Asks before a batch is deleted, and says what goes and what stays. */
export function DeleteBatch({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const t = useTranslations('batches')
  const navigate = useNavigate()
  const remove = useWrite(contract.console.deleteBatch)
  const submit = () =>
    remove.mutate(
      { params: { batch_id: batch.id } },
      { onSuccess: () => void navigate(paths.batches({ workspace: batch.workspace }), { replace: true }) },
    )
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deleteTitle', { name: batch.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className={fields.text}>
        <p>{t('deleteLost', { n: batch.total })}</p>
        <p>{t('deleteKept')}</p>
      </div>
      {remove.error ? <ProblemNote problem={remove.error.problem} what={t('deleteWhat')} /> : null}
      <div className={fields.buttons}>
        <Button color="red" variant="default" loading={remove.isPending} onClick={submit}>
          {t('deleteDo')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('deleteKeep')}
        </Button>
      </div>
    </Modal>
  )
}
