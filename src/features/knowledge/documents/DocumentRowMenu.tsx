import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { documentFilePath } from '#contract/console/files/documentFile.ts'
import { type DocumentRecord, hasProcessRule } from '#domain/documentRecord.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import { optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { documentMessages } from './messages.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { useBulkAction } from './bulk/useBulkAction.ts'
import { useDocumentHistory } from './useDocumentHistory.ts'

export interface DocumentRowMenuProps {
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
export function DocumentRowMenu({
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
