import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import type { Batch } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
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
    <DeleteDialog
      title={t('deleteTitle', { name: batch.name })}
      deed={t('deleteDo')}
      keep={t('deleteKeep')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      what={t('deleteWhat')}
      onDelete={submit}
      onClose={onClose}
    >
      <p>{t('deleteLost', { n: batch.total })}</p>
      <p>{t('deleteKept')}</p>
    </DeleteDialog>
  )
}
