import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { DeleteDialog } from '../../../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'
import { useBulkAction } from './bulkJobs.ts'
import { optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import { useWrite } from '../../../../client/query.ts'
import { useDocumentHistory } from '../documentHistory.ts'

export interface DeleteDocumentsProps {
  documents: readonly DocumentRecord[]
  dataset_id: string
  knowledge: Key
  onStarted: () => void
  onClose: () => void
}

/** More names would hide the buttons. */
const MAX_NAMED_DOCUMENTS = 10

/** Confirms deleting several documents; how far it is and each result are said in the list. */
export function DeleteDocuments({ documents, dataset_id, knowledge, onStarted, onClose }: DeleteDocumentsProps) {
  const t = useMessages(documentMessages)
  const bulk = useBulkAction(dataset_id, knowledge)
  const archived = documents.filter((document) => document.archived === true).length
  const more = documents.length - MAX_NAMED_DOCUMENTS
  const remove = () => {
    bulk.start('delete', documents)
    onStarted()
    onClose()
  }
  return (
    <DeleteDialog
      title={t('deleteManyTitle', { n: documents.length })}
      confirmLabel={t('deleteManyDo', { n: documents.length })}
      cancelLabel={t('deleteKeep')}
      isPending={bulk.isRunning}
      problem={undefined}
      action={t('deleteWhat')}
      onDelete={remove}
      onClose={onClose}
      lost={[
        ...documents.slice(0, MAX_NAMED_DOCUMENTS).map(({ id, name }) => name ?? id),
        ...(more > 0 ? [t('andMore', { n: more })] : []),
      ]}
      kept={[t('deleteManyKept')]}
    >
      {archived > 0 ? <p>{t('deleteArchived', { n: archived })}</p> : null}
    </DeleteDialog>
  )
}

interface DeleteDocumentProps {
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
