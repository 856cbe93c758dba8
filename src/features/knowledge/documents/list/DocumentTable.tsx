import { ActionIcon, Button, Checkbox, Menu, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { type DocumentRecord, hasProcessRule } from '#domain/documentRecord.ts'
import { usePermission } from '../../../../client/usePermission.ts'
import { Pager } from '../../../../components/data/Pager.tsx'
import { Table, type TableColumn } from '../../../../components/data/Table.tsx'
import { EmptyState } from '../../../../components/layout/EmptyState.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { RowCheckbox } from '../../../../components/data/RowCheckbox.tsx'
import type { DocumentSelection } from '../bulk/useDocumentSelection.ts'
import classes from '../Documents.module.css'
import { documentMessages } from '../messages.ts'
import type { DocumentDialogsState } from '../DocumentDialogs.tsx'
import { hasDocumentFilters } from './documentFilters.ts'
import type { DocumentListState } from './useDocumentList.ts'
import { IconDots } from '@tabler/icons-react'
import { documentFilePath } from '#contract/console/files/documentFile.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import { optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useWorkspace } from '../../../../client/useWorkspace.ts'
import { useBulkAction } from '../bulk/bulkJobs.ts'
import { useDocumentHistory } from '../documentHistory.ts'

export interface DocumentTableProps {
  documents: DocumentListState
  dialogs: DocumentDialogsState
  selection: DocumentSelection
  onDelete: (documents: readonly DocumentRecord[]) => void
}

/** A page of documents, with a checkbox and a menu in each row. */
export function DocumentTable({ documents, dialogs, selection, onDelete }: DocumentTableProps) {
  const t = useMessages(documentMessages)
  const can = usePermission()
  const { dataset_id, key, params, page, total, isLoading, problem, columns, rows, status, isStatusIgnored } = documents
  const menu: TableColumn<DocumentRecord>[] = key
    ? [
        {
          header: t('actions'),
          headerCell: <VisuallyHidden>{t('actions')}</VisuallyHidden>,
          cell: (document) => (
            <DocumentRowMenu
              document={document}
              dataset_id={dataset_id}
              knowledge={key}
              onUpdate={(updateSource) => dialogs.update(document.id, updateSource)}
              onRename={() => dialogs.rename(document.id)}
              onDelete={() => onDelete([document])}
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
        <p className={classes.strip} role="status">
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
  const isOwnFilter = hasDocumentFilters(filters)
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
export const NO_DOCUMENT_FILTERS = {
  keyword: null,
  status: null,
  metadata: null,
  drafts: null,
  losses: null,
  unretrieved: null,
}

interface DocumentRowMenuProps {
  document: DocumentRecord
  dataset_id: string
  knowledge: Key
  onUpdate: (by: 'text' | 'file') => void
  onRename: () => void
  onDelete: () => void
  onExport: () => void
  onMetadata: () => void
}

/** The actions on one document; unsupported ones are hidden. */
function DocumentRowMenu({
  document,
  dataset_id,
  knowledge,
  onUpdate,
  onRename,
  onDelete,
  onExport,
  onMetadata,
}: DocumentRowMenuProps) {
  const t = useMessages(documentMessages)
  const { start, isRunning, can } = useBulkAction(dataset_id, knowledge)
  const allows = usePermission()
  const { workspace } = useWorkspace()
  const name = document.name ?? document.id.slice(0, 8)
  const offers = (entry: string) => knowledge.offers.includes(entry)
  const stateActions = [
    document.enabled === false ? 'enable' : 'disable',
    document.archived ? 'un_archive' : 'archive',
  ] as const
  const items: ReactNode[] = [
    allows(documentEndpoints.updateByText) ? (
      <Menu.Item key="text" onClick={() => onUpdate('text')}>
        {t('updateByText')}
      </Menu.Item>
    ) : null,
    allows(documentEndpoints.updateByFile) ? (
      <Menu.Item key="file" onClick={() => onUpdate('file')}>
        {t('updateByFile')}
      </Menu.Item>
    ) : null,
    !allows(documentEndpoints.updateByText) || !workspace ? null : workspace.builtin ? (
      <Menu.Item key="rename" onClick={onRename}>
        {t('rename')}
      </Menu.Item>
    ) : document.data_source_type === 'upload_file' && hasProcessRule(document) ? (
      <RenameAndIndex key="rename" id={document.id} workspace={workspace.id} onClick={() => onUpdate('text')} />
    ) : null,
    offers('updateDocumentMetadata') && allows(optionalMetadataEndpoints.updateDocumentMetadata) ? (
      <Menu.Item key="metadata" onClick={onMetadata}>
        {t('editMetadata')}
      </Menu.Item>
    ) : null,
    offers('downloadDocument') && allows(optionalDocumentEndpoints.downloadDocument) ? (
      <Menu.Item
        key="download"
        component="a"
        href={documentFilePath({ key: knowledge.id, dataset_id, document_id: document.id, name })}
        download={name}
      >
        {t('download')}
      </Menu.Item>
    ) : null,
    allows(EXPORT_PERMISSION) ? (
      <Menu.Item key="export" onClick={onExport}>
        {t('exportChunks')}
      </Menu.Item>
    ) : null,
    ...stateActions.map((action) =>
      can(action) ? (
        <Menu.Item key={action} disabled={isRunning} onClick={() => start(action, [document])}>
          {t(`bulkActions.${action}`)}
        </Menu.Item>
      ) : null,
    ),
    can('read_again') && document.reading?.has_file ? (
      <Menu.Item key="read_again" disabled={isRunning} onClick={() => start('read_again', [document])}>
        {t('bulkActions.read_again')}
      </Menu.Item>
    ) : null,
    can('delete') ? (
      <Menu.Item key="delete" onClick={onDelete}>
        {t('delete')}
      </Menu.Item>
    ) : null,
  ]
  // A menu of nothing would open as an empty box.
  if (items.every((item) => item === null)) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={24} aria-label={t('moreFor', { name })} title={t('moreFor', { name })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{items}</Menu.Dropdown>
    </Menu>
  )
}

/** Platforms other than the built-in one rename a document only with its whole text: offered where that is known. */
function RenameAndIndex({ id, workspace, onClick }: { id: string; workspace: string; onClick: () => void }) {
  const t = useMessages(documentMessages)
  const { text, supersededBy } = useDocumentHistory(id, workspace)
  return text === null || supersededBy !== null ? null : <Menu.Item onClick={onClick}>{t('renameAndIndex')}</Menu.Item>
}
