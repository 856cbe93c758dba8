import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { DeleteDialog } from '../../../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'
import { useBulkAction } from './useBulkAction.ts'

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
