import { useNavigate } from 'react-router'
import type { Batch } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { batchesWords } from './messages.ts'

/** Asks before a batch is deleted, and says what goes and what stays. */
export function DeleteBatch({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const t = useWords(batchesWords)
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
