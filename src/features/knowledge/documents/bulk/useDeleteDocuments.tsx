import { optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useWrite } from '../../../../client/query.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useDeleteDialog } from '../../../../components/overlays/useDeleteDialog.ts'
import { useDocumentHistory } from '../documentHistory.ts'
import type { DocumentListState } from '../list/useDocumentList.ts'
import { documentMessages } from '../messages.ts'
import { useBulkAction } from './bulkJobs.ts'
import type { DocumentSelection } from './useDocumentSelection.ts'

/** More names would hide the buttons. */
const MAX_NAMED_DOCUMENTS = 10

/** Asks whether documents are deleted. For several, the list shows the progress and each result. */
export function useDeleteDocuments({ dataset_id, key, workspace }: DocumentListState, selection: DocumentSelection) {
  const t = useMessages(documentMessages)
  const openDelete = useDeleteDialog()
  const bulk = useBulkAction(dataset_id, key)
  const remove = useWrite(optionalDocumentEndpoints.deleteDocument, {
    onDone: (_, { params }) => selection.remove(params.document_id),
  })
  const shared = { cancelLabel: t('deleteKeep'), action: t('deleteWhat') }
  const askOne = (document: DocumentRecord) => {
    const history = { id: document.id, workspace: workspace?.id ?? '' }
    openDelete({
      ...shared,
      title: t('deleteTitle', { name: document.name ?? document.id }),
      lost: [t('deleteWords', { n: document.word_count ?? -1 }), <LostEditCount key="edits" {...history} />],
      kept: [<SavedText key="text" {...history} />],
      confirmLabel: t('deleteDo'),
      run: () => remove.mutateAsync({ key: key?.id, params: { dataset_id, document_id: document.id } }),
    })
  }
  const askSeveral = (documents: readonly DocumentRecord[]) => {
    const archived = documents.filter((document) => document.archived === true).length
    const more = documents.length - MAX_NAMED_DOCUMENTS
    openDelete({
      ...shared,
      title: t('deleteManyTitle', { n: documents.length }),
      children: archived > 0 ? <p>{t('deleteArchived', { n: archived })}</p> : null,
      lost: [
        ...documents.slice(0, MAX_NAMED_DOCUMENTS).map(({ id, name }) => name ?? id),
        ...(more > 0 ? [t('andMore', { n: more })] : []),
      ],
      kept: [t('deleteManyKept')],
      confirmLabel: t('deleteManyDo', { n: documents.length }),
      run: () => {
        bulk.start('delete', documents)
        selection.clear()
      },
    })
  }
  return (documents: readonly DocumentRecord[]) =>
    documents.length === 1 && documents[0] ? askOne(documents[0]) : askSeveral(documents)
}

function LostEditCount({ id, workspace }: { id: string; workspace: string }) {
  const t = useMessages(documentMessages)
  const { edits } = useDocumentHistory(id, workspace)
  return edits.length > 0 ? t('deleteEdits', { n: edits.length }) : null
}

function SavedText({ id, workspace }: { id: string; workspace: string }) {
  const t = useMessages(documentMessages)
  return useDocumentHistory(id, workspace).text === null ? null : t('deleteKept')
}
