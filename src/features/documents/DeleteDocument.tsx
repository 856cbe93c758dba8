import type { DocumentRecord } from '#contract/records.ts'
import { contract } from '#contract/index.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { documentsWords } from './messages.ts'
import { useHistory } from './useHistory.ts'

export interface DeleteDocumentProps {
  document: DocumentRecord
  dataset_id: string
  keyId: string
  workspace: string
  onClose: () => void
}

/** Asks before a document is deleted, and says what goes and what stays. */
export function DeleteDocument({ document, dataset_id, keyId, workspace, onClose }: DeleteDocumentProps) {
  const t = useWords(documentsWords)
  const remove = useWrite(contract.adjacent.deleteDocument)
  const { edits, text } = useHistory(document.id, workspace)
  const submit = () =>
    remove.mutate({ key: keyId, params: { dataset_id, document_id: document.id } }, { onSuccess: onClose })
  return (
    <DeleteDialog
      title={t('deleteTitle', { name: document.name ?? document.id })}
      deed={t('deleteDo')}
      keep={t('deleteKeep')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      what={t('deleteWhat')}
      onDelete={submit}
      onClose={onClose}
    >
      <p>{t('deleteLost')}</p>
      <ul>
        <li>{t('deleteWords', { n: document.word_count ?? -1 })}</li>
        <li>{t('deleteEdits', { n: edits.length })}</li>
      </ul>
      <p>{t(text === null ? 'deleteKeptNothing' : 'deleteKept')}</p>
    </DeleteDialog>
  )
}
