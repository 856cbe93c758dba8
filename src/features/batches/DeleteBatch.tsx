import { useNavigate } from 'react-router'
import { type Batch, batchEndpoints } from '#contract/console/batches.ts'
import { paths } from '#domain/paths.ts'
import { DeleteDialog } from '../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import { batchMessages } from './messages.ts'

/** Confirms deleting a batch, and explains what is deleted and what remains. */
export function DeleteBatch({ batch, onClose }: { batch: Batch; onClose: () => void }) {
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
