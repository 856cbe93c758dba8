import { Button, Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { documentEndpoints } from '#contract/platform/documents.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { usePermission } from '../../../../client/usePermission.ts'
import { Pager } from '../../../../components/data/Pager.tsx'
import { Table, type TableColumn } from '../../../../components/data/Table.tsx'
import { EmptyState } from '../../../../components/layout/EmptyState.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { RowCheckbox } from '../../../../components/data/RowCheckbox.tsx'
import type { DocumentSelection } from '../bulk/useDocumentSelection.ts'
import { DocumentRowMenu } from '../DocumentRowMenu.tsx'
import classes from '../Documents.module.css'
import { documentMessages } from '../messages.ts'
import type { DocumentDialogsState } from '../useDocumentDialogs.ts'
import type { DocumentListState } from './useDocumentList.ts'

export interface DocumentTableProps {
  dataset_id: string
  documents: DocumentListState
  dialogs: DocumentDialogsState
  selection: DocumentSelection
}

/** A page of documents, with a checkbox and a menu in each row. */
export function DocumentTable({ dataset_id, documents, dialogs, selection }: DocumentTableProps) {
  const t = useMessages(documentMessages)
  const can = usePermission()
  const { key, params, page, total, isLoading, problem, columns, rows, status, isStatusIgnored } = documents
  const menu: TableColumn<DocumentRecord>[] = key
    ? [
        {
          header: t('actions'),
          headerCell: <span className={classes.hiddenText}>{t('actions')}</span>,
          cell: (document) => (
            <DocumentRowMenu
              document={document}
              dataset_id={dataset_id}
              knowledge={key}
              onUpdate={(updateSource) => dialogs.update(document.id, updateSource)}
              onRename={() => dialogs.rename(document.id)}
              onDelete={() => dialogs.remove([document])}
              onExport={() => dialogs.exportOf([document])}
              onMetadata={() => dialogs.describe([document])}
            />
          ),
        },
      ]
    : []
  // Documents are exported on every platform: there is always something to select them for.
  const select: TableColumn<DocumentRecord>[] = key
    ? [
        {
          header: t('select'),
          headerCell: (
            <Checkbox
              className={classes.select}
              aria-label={t('selectPage')}
              checked={selection.pageState === 'all'}
              indeterminate={selection.pageState === 'some'}
              onChange={selection.togglePage}
            />
          ),
          cell: (document) => (
            <RowCheckbox
              label={t('selectDocument', { name: document.name ?? document.id.slice(0, 8) })}
              isSelected={selection.isSelected(document)}
              onToggle={(options) => selection.toggle(document, options)}
            />
          ),
        },
      ]
    : []

  return (
    <>
      {page && isStatusIgnored ? (
        <p className={classes.notice} role="status">
          {t('statusIgnored', { n: page.data.length, shown: rows?.length ?? 0, status: status ?? '' })}
        </p>
      ) : null}
      {(page && total > 0) || (!page && !problem && (key || isLoading)) ? (
        <Table
          label={t('documents')}
          columns={[...select, ...columns.visible, ...menu]}
          rows={rows}
          getKey={({ id }) => id}
          rowActions={{
            ...(key ? { onSelect: selection.toggle, onEscape: selection.clear } : {}),
            ...(key && can(documentEndpoints.updateByText)
              ? { onEdit: (document: DocumentRecord) => dialogs.update(document.id, 'text') }
              : {}),
          }}
        />
      ) : null}
      {page && total > 0 ? (
        <Pager
          page={page.page}
          limit={page.limit}
          total={total}
          onPage={(next) => params.set({ page: next })}
          onLimit={(limit) => params.set({ limit })}
        />
      ) : null}
    </>
  )
}

/** In place of the rows: a dataset without documents, or filters that none passes. */
export function NoDocuments({ documents, add }: { documents: DocumentListState; add: ReactNode }) {
  const t = useMessages(documentMessages)
  const { keyword, status, filters, isFiltered, whole } = documents
  if (!isFiltered)
    return (
      <EmptyState title={t('emptyTitle')} actions={add}>
        {t('emptyText')}
      </EmptyState>
    )
  const clear = (
    <Button onClick={() => documents.params.set(NO_DOCUMENT_FILTERS)}>
      {t(keyword ? 'clearSearch' : 'clearFilters')}
    </Button>
  )
  const isOwnFilter = filters.metadata !== null || filters.hasDraft || filters.unretrievedDays !== null
  return (
    <EmptyState
      title={t(keyword ? 'noneTitle' : isOwnFilter ? 'noneFilteredTitle' : 'noneStatusTitle')}
      actions={clear}
    >
      {isOwnFilter
        ? t('noneFilteredText', { n: whole?.data?.documents.length ?? 0 })
        : keyword
          ? t('noneText', { keyword })
          : t('noneStatusText', { status: status ?? '' })}
    </EmptyState>
  )
}

/** Values for the URL that remove every filter of the list. */
export const NO_DOCUMENT_FILTERS = { keyword: null, status: null, metadata: null, drafts: null, unretrieved: null }
