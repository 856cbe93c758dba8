import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { documentFilePath } from '#contract/console/files/documentFile.ts'
import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { segmentMessages } from './messages.ts'

const LazyDocumentMetadataDialog = lazyWithPreload(
  async () => (await import('../metadata/DocumentMetadataDialog.tsx')).DocumentMetadataDialog,
)

export interface DocumentMenuProps {
  dataset_id: string
  record: DocumentRecord
  knowledge: Key
  workspace: string
  /** Undefined where the platform does not offer it, or has no file. */
  onReadAgain: (() => void) | undefined
}

/** What a platform of the current Service API can do with a document beyond the interface; nothing where it offers none. */
export function DocumentMenu({ dataset_id, record, knowledge, workspace, onReadAgain }: DocumentMenuProps) {
  const t = useMessages(segmentMessages)
  const [isEditing, setEditing] = useState(false)
  const hasMetadata = knowledge.offers.includes('updateDocumentMetadata')
  const hasDownload = knowledge.offers.includes('downloadDocument')
  if (!hasMetadata && !hasDownload && !onReadAgain) return null
  const name = record.name ?? record.id
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('moreActions')} title={t('moreActions')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {hasMetadata ? <Menu.Item onClick={() => setEditing(true)}>{t('editMetadata')}</Menu.Item> : null}
          {onReadAgain ? <Menu.Item onClick={onReadAgain}>{t('readFileAgain')}</Menu.Item> : null}
          {hasDownload ? (
            <Menu.Item
              component="a"
              href={documentFilePath({ key: knowledge.id, dataset_id, document_id: record.id, name })}
              download={name}
            >
              {t('download')}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {isEditing ? (
          <LazyDocumentMetadataDialog
            dataset_id={dataset_id}
            documents={[record]}
            keyId={knowledge.id}
            workspace={workspace}
            onClose={() => setEditing(false)}
          />
        ) : null}
      </Suspense>
    </>
  )
}
