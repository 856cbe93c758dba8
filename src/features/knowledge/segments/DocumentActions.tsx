import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { documentFilePath } from '#contract/console/files/documentFile.ts'
import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { segmentMessages } from './messages.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useSaveEstimate } from '../chunkLab/useSavedEstimate.ts'

const LazyDocumentMetadataDialog = lazyWithPreload(
  async () => (await import('../metadata/DocumentMetadataDialog.tsx')).DocumentMetadataDialog,
)

interface DocumentMenuProps {
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

const LazyUpdateDocument = lazyWithPreload(
  async () => (await import('../documents/forms/UpdateDocument.tsx')).UpdateDocument,
)

interface DocumentUpdateDialogProps {
  dataset_id: string
  document_id: string
  workspace: string
  knowledge: Key
  technique: string | null
}

/** The update of a document on its own page (`?update=text`), which one does not leave for it. */
export function DocumentUpdateDialog({ workspace, knowledge, ...target }: DocumentUpdateDialogProps) {
  const can = usePermission()
  const url = useSearchParamState()
  const { keep: saveEstimate } = useSaveEstimate(workspace)
  const source = url.get('update')
  if (source === undefined || !can(documentEndpoints.updateByText)) return null
  return (
    <Suspense>
      <LazyUpdateDocument
        {...target}
        workspace={workspace}
        knowledge={knowledge}
        source={source === 'file' ? 'file' : 'text'}
        onSource={(update) => url.set({ update })}
        onClose={() => url.set({ update: null })}
        onSent={(id, estimate) => saveEstimate(id, estimate)}
      />
    </Suspense>
  )
}
