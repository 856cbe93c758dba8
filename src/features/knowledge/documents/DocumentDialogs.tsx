import { Suspense, useState } from 'react'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { detectRetrievalDialect } from '../retrieval/retrievalModelForm.ts'
import type { DocumentListState } from './list/useDocumentList.ts'
import type { OnSent } from './SentDocuments.tsx'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { usePermission } from '../../../client/usePermission.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'

// Forms are loaded when they are first opened.
const LazyAddDocuments = lazyWithPreload(async () => (await import('./forms/AddDocuments.tsx')).AddDocuments)
const LazyUpdateDocument = lazyWithPreload(async () => (await import('./forms/UpdateDocument.tsx')).UpdateDocument)
const LazyDocumentMetadataDialog = lazyWithPreload(
  async () => (await import('../metadata/DocumentMetadataDialog.tsx')).DocumentMetadataDialog,
)
const LazyExportDocuments = lazyWithPreload(async () => (await import('./export/ExportDocuments.tsx')).ExportDocuments)

export interface DocumentDialogsProps {
  dialogs: DocumentDialogsState
  documents: DocumentListState
  onSent: OnSent
}

/** What lies over the list of documents, one at a time. */
export function DocumentDialogs({ dialogs, documents, onSent }: DocumentDialogsProps) {
  const can = usePermission()
  const [hasOpenedAdd, setHasOpenedAdd] = useState(false)
  if (dialogs.isAdding && !hasOpenedAdd) setHasOpenedAdd(true)
  const { dataset_id, dataset, key: knowledge, page } = documents
  const workspace = documents.workspace?.id
  if (!knowledge || !workspace || !dataset.isKnown) return null
  const defaults = {
    technique: dataset.technique,
    docForm: dataset.record?.doc_form ?? page?.data[0]?.doc_form ?? null,
  }
  return (
    <Suspense>
      {hasOpenedAdd ? (
        <LazyAddDocuments
          opened={dialogs.isAdding}
          source={dialogs.addBy}
          onSource={dialogs.add}
          onClose={dialogs.close}
          dataset_id={dataset_id}
          knowledge={knowledge}
          workspace={workspace}
          defaults={defaults}
          dialect={detectRetrievalDialect([dataset.record?.retrieval_model_dict])}
          setting={dialogs.addSetting}
          onSent={onSent}
        />
      ) : null}
      {dialogs.updated && can(documentEndpoints.updateByText) ? (
        <LazyUpdateDocument
          key={dialogs.updated}
          dataset_id={dataset_id}
          document_id={dialogs.updated}
          source={dialogs.by}
          onSource={(by) => dialogs.update(dialogs.updated ?? '', by)}
          onClose={dialogs.endUpdate}
          workspace={workspace}
          knowledge={knowledge}
          technique={defaults.technique}
          onSent={onSent}
        />
      ) : null}
      {dialogs.described ? (
        <LazyDocumentMetadataDialog
          documents={dialogs.described}
          dataset_id={dataset_id}
          keyId={knowledge.id}
          workspace={workspace}
          onClose={() => dialogs.describe(null)}
        />
      ) : null}
      {dialogs.exported === undefined ? null : (
        <LazyExportDocuments
          dataset_id={dataset_id}
          dataset_name={documents.name}
          documents={dialogs.exported}
          filter={{ keyword: documents.keyword, status: documents.status }}
          total={documents.total}
          workspace={workspace}
          knowledge={knowledge}
          onClose={() => dialogs.exportOf(undefined)}
        />
      )}
    </Suspense>
  )
}

/**
 * What lies over the list of documents. Adding, renaming and the update of a document have a URL of their own: `?add=file`,
 * `?rename=<id>`, `?update=<id>&by=file`.
 */
export function useDocumentDialogs() {
  const list = useSearchParamState()
  /** Of which the chunks are exported; null for all that the filter finds, undefined where nothing is. */
  const [exportedDocuments, setExportedDocuments] = useState<readonly DocumentRecord[] | null | undefined>(undefined)
  const [describedDocuments, setDescribedDocuments] = useState<readonly DocumentRecord[] | null>(null)
  return {
    isAdding: list.get('add') !== undefined,
    addBy: list.get('add') === 'text' ? ('text' as const) : ('file' as const),
    /** The initial setting of the chunk lab, as in its URL. */
    addSetting: list.get('setting'),
    add: (add: 'text' | 'file') => list.set({ add }),
    close: () => list.set({ add: null, setting: null }),
    updated: list.get('update') ?? null,
    by: list.get('by') === 'file' ? ('file' as const) : ('text' as const),
    update: (update: string, source: 'text' | 'file') => list.set({ update, by: source }),
    endUpdate: () => list.set({ update: null, by: null }),
    /** Whose name is a field. */
    renamed: list.get('rename') ?? null,
    rename: (rename: string) => list.set({ rename }),
    exported: exportedDocuments,
    exportOf: setExportedDocuments,
    /** Whose metadata is edited. */
    described: describedDocuments,
    describe: setDescribedDocuments,
  }
}
export type DocumentDialogsState = ReturnType<typeof useDocumentDialogs>
