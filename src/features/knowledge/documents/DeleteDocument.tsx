import { optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { DeleteDialog } from '../../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { documentMessages } from './messages.ts'
import { useDocumentHistory } from './useDocumentHistory.ts'

export interface DeleteDocumentProps {
  document: DocumentRecord
  dataset_id: string
  keyId: string
  workspace: string
  onDeleted?: (id: string) => void
  onClose: () => void
}

/** Confirms deleting a document, and explains what is deleted and what remains. */
export function DeleteDocument({ document, dataset_id, keyId, workspace, onDeleted, onClose }: DeleteDocumentProps) {
  const t = useMessages(documentMessages)
  const remove = useWrite(optionalDocumentEndpoints.deleteDocument)
  const { edits, text } = useDocumentHistory(document.id, workspace)
  const submit = () =>
    remove.mutate(
      { key: keyId, params: { dataset_id, document_id: document.id } },
      {
        onSuccess: () => {
          onDeleted?.(document.id)
          onClose()
        },
      },
    )
  return (
    <DeleteDialog
      title={t('deleteTitle', { name: document.name ?? document.id })}
      confirmLabel={t('deleteDo')}
      cancelLabel={t('deleteKeep')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      action={t('deleteWhat')}
      onDelete={submit}
      onClose={onClose}
      lost={[
        t('deleteWords', { n: document.word_count ?? -1 }),
        ...(edits.length > 0 ? [t('deleteEdits', { n: edits.length })] : []),
      ]}
      kept={text === null ? [] : [t('deleteKept')]}
    />
  )
}
