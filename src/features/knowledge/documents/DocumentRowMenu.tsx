import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { documentFilePath } from '#contract/console/documentFile.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { contract } from '#contract/index.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import type { Problem } from '#contract/problem.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { documentMessages } from './messages.ts'
import { Can } from '../../../client/Can.tsx'

export interface DocumentRowMenuProps {
  document: DocumentRecord
  dataset_id: string
  knowledge: Key
  onUpdate: (by: 'text' | 'file') => void
  onDelete: () => void
  onExport: () => void
  onMetadata: () => void
  onProblem: (problem: Problem) => void
}

/** The actions on one document; unsupported ones are hidden. */
export function DocumentRowMenu({
  document,
  dataset_id,
  knowledge,
  onUpdate,
  onDelete,
  onExport,
  onMetadata,
  onProblem,
}: DocumentRowMenuProps) {
  const t = useMessages(documentMessages)
  const status = useWrite(contract.adjacent.setDocumentStatus)
  const name = document.name ?? document.id.slice(0, 8)
  const set = (action: 'enable' | 'disable') =>
    status.mutate(
      { key: knowledge.id, params: { dataset_id, action }, body: { document_ids: [document.id] } },
      { onError: ({ problem }) => onProblem(problem) },
    )
  const capabilities = (entry: string) => knowledge.offers.includes(entry)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          size={24}
          aria-label={t('moreFor', { name })}
          title={t('moreFor', { name })}
          loading={status.isPending}
        >
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
        {capabilities('setDocumentStatus') ? (
          <Menu.Item onClick={() => set(document.enabled === false ? 'enable' : 'disable')}>
            {t(document.enabled === false ? 'enable' : 'disable')}
          </Menu.Item>
        ) : null}
        {capabilities('deleteDocument') ? <Menu.Item onClick={onDelete}>{t('delete')}</Menu.Item> : null}
      </Menu.Dropdown>
    </Menu>
  )
}
