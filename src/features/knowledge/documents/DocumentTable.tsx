import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { Pager } from '../../../components/data/Pager.tsx'
import { Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Documents.module.css'
import { documentMessages } from './messages.ts'
import { DocumentRowMenu } from './DocumentRowMenu.tsx'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import type { DocumentDialogsState } from './useDocumentDialogs.ts'
import { SelectDocument } from './SelectDocument.tsx'
import type { DocumentSelection } from './useDocumentSelection.ts'
import type { DocumentListState } from './useDocumentList.ts'

export interface DocumentTableProps {
  dataset_id: string
  documents: DocumentListState
  dialogs: DocumentDialogsState
  selection: DocumentSelection
}

/** Operations that take several documents. */
const SELECTION_OPERATIONS = ['downloadDocuments', 'updateDocumentMetadata']

/** A page of documents, with a menu in each row. */
export function DocumentTable({ dataset_id, documents, dialogs, selection }: DocumentTableProps) {
  const t = useMessages(documentMessages)
  const { key, params, total, isLoading, problem, columns, rows, status, isStatusIgnored } = documents
  const { data } = documents.read
  const menu = key
    ? [
        {
          header: t('more'),
          cell: (document: DocumentRecord) => (
            <DocumentRowMenu
              document={document}
              dataset_id={dataset_id}
              knowledge={key}
              onUpdate={(updateSource) => dialogs.update(document.id, updateSource)}
              onDelete={() => dialogs.remove(document)}
              onExport={() => dialogs.exportOf(document)}
              onMetadata={() => dialogs.describe(document)}
              onProblem={dialogs.refuse}
            />
          ),
        },
      ]
    : []

  const canSelect = key?.offers.some((name) => SELECTION_OPERATIONS.includes(name)) ?? false
  const select = canSelect
    ? [
        {
          header: t('select'),
          cell: (document: DocumentRecord) => (
            <SelectDocument
              label={t('selectDocument', { name: document.name ?? document.id.slice(0, 8) })}
              isSelected={selection.isSelected(document)}
              onToggle={() => selection.toggle(document)}
            />
          ),
        },
      ]
    : []

  return (
    <>
      {data && isStatusIgnored ? (
        <p className={classes.notice} role="status">
          {t('statusIgnored', { n: data.data.length, shown: rows?.length ?? 0, status: status ?? '' })}
        </p>
      ) : null}
      {(data && total > 0) || (!data && !problem && (key || isLoading)) ? (
        <Table
          label={t('documents')}
          columns={[...select, ...columns.visible, ...menu]}
          rows={rows}
          getKey={({ id }) => id}
        />
      ) : null}
      {data && total > 0 ? (
        <Pager
          page={data.page ?? Number(params.get('page') ?? 1)}
          limit={data.limit ?? Number(params.get('limit') ?? 20)}
          total={total}
          onPage={(page) => params.set({ page })}
          onLimit={(limit) => params.set({ limit })}
        />
      ) : null}
    </>
  )
}

/** In place of the rows: a dataset without documents, or a filter that none passes. */
export function NoDocuments({ documents, add }: { documents: DocumentListState; add: ReactNode }) {
  const t = useMessages(documentMessages)
  const { params, keyword, status, isFiltered } = documents
  return isFiltered ? (
    <EmptyState
      title={t(keyword ? 'noneTitle' : 'noneStatusTitle')}
      actions={<Button onClick={() => params.set({ keyword: null, status: null })}>{t('clearSearch')}</Button>}
    >
      {keyword ? t('noneText', { keyword }) : t('noneStatusText', { status: status ?? '' })}
    </EmptyState>
  ) : (
    <EmptyState title={t('emptyTitle')} actions={add}>
      {t('emptyText')}
    </EmptyState>
  )
}
