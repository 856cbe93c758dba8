import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { IconDots, IconMessage } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { paths } from '#domain/paths.ts'
import { Can } from '../../../client/Can.tsx'
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

interface DocumentActionsProps {
  dataset_id: string
  document_id: string
  /** What keeps a link within the workspace. */
  inWorkspace: { workspace?: string }
  record: DocumentRecord | null
  knowledge: Key | undefined
  /** Undefined where the platform does not offer it, or has no file. */
  onReadAgain: (() => void) | undefined
}

export function DocumentActions(props: DocumentActionsProps) {
  const { dataset_id, document_id, inWorkspace, record, knowledge } = props
  const t = useMessages(segmentMessages)
  const url = useSearchParamState()
  return (
    <Group gap="xs" justify="flex-end">
      <Can entry={documentEndpoints.updateByText}>
        <Button variant="default" onClick={() => url.set({ update: 'text' })}>
          {t('update')}
        </Button>
      </Can>
      <Button variant="default" component={Link} to={paths.retrieval(dataset_id, inWorkspace)}>
        {t('retrieval')}
      </Button>
      <Can entry={chatEndpoints.send}>
        <Button
          variant="default"
          leftSection={<IconMessage size={14} />}
          component={Link}
          to={paths.chat({ ...inWorkspace, about: dataset_id, document: document_id })}
        >
          {t('ask')}
        </Button>
      </Can>
      {record && knowledge ? <DocumentMenu {...props} record={record} knowledge={knowledge} /> : null}
    </Group>
  )
}

type DocumentMenuProps = DocumentActionsProps & { record: DocumentRecord; knowledge: Key }

/** What a platform of the current Service API can do with a document beyond the interface; nothing where it offers none. */
function DocumentMenu({ dataset_id, record, knowledge, inWorkspace: { workspace }, onReadAgain }: DocumentMenuProps) {
  const t = useMessages(segmentMessages)
  const [isEditing, setEditing] = useState(false)
  const hasMetadata = knowledge.offers.includes('updateDocumentMetadata')
  const hasDownload = knowledge.offers.includes('downloadDocument')
  if (!workspace || (!hasMetadata && !hasDownload && !onReadAgain)) return null
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
