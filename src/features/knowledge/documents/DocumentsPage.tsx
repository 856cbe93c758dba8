import type { ReactNode } from 'react'
import { Button, Group, Text } from '@mantine/core'
import { IconListSearch, IconMessage, IconPlus, IconSettings } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { paths } from '#domain/paths.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { IndexingStrip } from '../indexing/IndexingStrip.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Documents.module.css'
import { ErrorGroups, DocumentListFallback, WholeListNote } from './DocumentListNotes.tsx'
import { DocumentDialogs, useDocumentDialogs } from './DocumentDialogs.tsx'
import { documentMessages } from './messages.ts'
import { SentDocuments, useSentDocuments } from './SentDocuments.tsx'
import { SelectedDocuments } from './bulk/SelectedDocuments.tsx'
import { Can } from '../../../client/Can.tsx'
import { usePermission } from '../../../client/usePermission.ts'
import { BulkProgress } from './bulk/BulkProgress.tsx'
import { DocumentTable, NoDocuments } from './list/DocumentTable.tsx'
import { DocumentsToolbar } from './list/DocumentsToolbar.tsx'
import { useDeleteDocuments } from './bulk/useDeleteDocuments.tsx'
import { useDocumentSelection } from './bulk/useDocumentSelection.ts'
import { NoKnowledgeKey } from '../NoKnowledgeKey.tsx'
import { useDocumentList } from './list/useDocumentList.ts'

/** The documents of a dataset (operation 6), polled every second while any of them is being indexed. */
export function DocumentsPage() {
  const { dataset_id = '' } = useParams()
  const t = useMessages(documentMessages)
  const can = usePermission()
  const dialogs = useDocumentDialogs()
  const documents = useDocumentList(dataset_id, { renamed: dialogs.renamed })
  const { workspace, key, name, isFiltered, total, isEmpty, page } = documents
  const selection = useDocumentSelection(documents.rows)
  const askDelete = useDeleteDocuments(documents, selection)
  const sentDocuments = useSentDocuments(workspace?.id)
  const search = workspace ? { workspace: workspace.id } : {}

  const add =
    key && can(documentEndpoints.createByText) ? (
      <Button leftSection={<IconPlus size={14} />} onClick={() => dialogs.add('file')}>
        {t('add')}
      </Button>
    ) : null
  return (
    <Page
      title={name}
      breadcrumbs={
        <>
          <Link to={paths.datasets(search)}>{t('datasets')}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      titleSuffix={
        <>
          {page ? (
            <Text span fz="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {t('documentCount', { n: total })}
            </Text>
          ) : null}
          <IdChip id={dataset_id} />
        </>
      }
      actions={
        <DocumentsActions dataset_id={dataset_id} workspace={workspace?.id}>
          {add}
        </DocumentsActions>
      }
      toolbar={
        key && !(isEmpty && !isFiltered) ? (
          <DocumentsToolbar documents={documents} onExport={() => dialogs.exportOf(documents.exportable)} />
        ) : undefined
      }
    >
      <DocumentListFallback documents={documents} />
      {documents.hasNoKey && workspace ? (
        <NoKnowledgeKey workspace={workspace} title={t('noKey')}>
          {t('noKeyText')}
        </NoKnowledgeKey>
      ) : null}
      {page ? <IndexingStrip indexing={documents.indexingWatch} /> : null}
      <SentDocuments sent={sentDocuments} documents={documents} />
      <ErrorGroups documents={documents} />
      {isEmpty ? <NoDocuments documents={documents} add={add} /> : null}
      <SelectedDocuments selection={selection} documents={documents} dialogs={dialogs} onDelete={askDelete} />
      <BulkProgress documents={documents} />
      <WholeListNote documents={documents} />
      <DocumentTable documents={documents} dialogs={dialogs} selection={selection} onDelete={askDelete} />
      <DocumentDialogs dialogs={dialogs} documents={documents} onSent={sentDocuments.note} />
    </Page>
  )
}

interface DocumentsActionsProps {
  dataset_id: string
  workspace: string | undefined
  children: ReactNode
}

function DocumentsActions({ dataset_id, workspace, children }: DocumentsActionsProps) {
  const t = useMessages(documentMessages)
  const search = workspace ? { workspace } : {}
  return (
    <Group gap="xs" justify="flex-end" className={classes.actions}>
      <Button
        variant="default"
        data-aside
        leftSection={<IconSettings size={14} />}
        component={Link}
        to={paths.datasetSettings(dataset_id, search)}
      >
        {t('settings')}
      </Button>
      <Button
        variant="default"
        data-aside
        leftSection={<IconListSearch size={14} />}
        component={Link}
        to={paths.retrieval(dataset_id, search)}
      >
        {t('retrieval')}
      </Button>
      <Can entry={chatEndpoints.send}>
        <Button
          variant="default"
          data-aside
          leftSection={<IconMessage size={14} />}
          component={Link}
          to={paths.chat({ workspace: workspace ?? '', about: dataset_id })}
        >
          {t('ask')}
        </Button>
      </Can>
      {children}
    </Group>
  )
}
