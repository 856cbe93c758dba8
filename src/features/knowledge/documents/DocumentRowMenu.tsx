import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { documentFilePath } from '#contract/console/documentFile.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { contract } from '#contract/index.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { documentMessages } from './messages.ts'
import { Can } from '../../../client/Can.tsx'
import { useBulkAction } from './bulk/useBulkAction.ts'

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
  const name = document.name ?? document.id.slice(0, 8)
  const capabilities = (entry: string) => knowledge.offers.includes(entry)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={24} aria-label={t('moreFor', { name })} title={t('moreFor', { name })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Can entry={contract.documents.updateByText}>
          <Menu.Item onClick={() => onUpdate('text')}>{t('updateByText')}</Menu.Item>
        </Can>
        <Can entry={contract.documents.updateByFile}>
          <Menu.Item onClick={() => onUpdate('file')}>{t('updateByFile')}</Menu.Item>
        </Can>
        <Can entry={contract.documents.updateByText}>
          <Menu.Item onClick={onRename}>{t('rename')}</Menu.Item>
        </Can>
        {capabilities('updateDocumentMetadata') ? (
          <Menu.Item onClick={onMetadata}>{t('editMetadata')}</Menu.Item>
        ) : null}
        {capabilities('downloadDocument') ? (
          <Menu.Item
            component="a"
            href={documentFilePath({ key: knowledge.id, dataset_id, document_id: document.id, name })}
            download={name}
          >
            {t('download')}
          </Menu.Item>
        ) : null}
        <Can entry={EXPORT_PERMISSION}>
          <Menu.Item onClick={onExport}>{t('exportChunks')}</Menu.Item>
        </Can>
        {(
          [document.enabled === false ? 'enable' : 'disable', document.archived ? 'un_archive' : 'archive'] as const
        ).map((action) =>
          can(action) ? (
            <Menu.Item key={action} disabled={isRunning} onClick={() => start(action, [document])}>
              {t(`bulkActions.${action}`)}
            </Menu.Item>
          ) : null,
        )}
        {can('delete') ? <Menu.Item onClick={onDelete}>{t('delete')}</Menu.Item> : null}
      </Menu.Dropdown>
    </Menu>
  )
}
