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
import { detectRetrievalDialect } from '../retrieval/retrievalModelForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Documents.module.css'
import { ErrorGroups, DocumentListFallback, WholeListNote } from './DocumentListNotes.tsx'
import { DocumentDialogs, useDocumentDialogs } from './DocumentDialogs.tsx'
import { documentMessages } from './messages.ts'
import { ReplacedDocuments, SentDocuments, useSentDocuments } from './SentDocuments.tsx'
import { SelectedDocuments } from './bulk/SelectedDocuments.tsx'
import { Can } from '../../../client/Can.tsx'
import { usePermission } from '../../../client/usePermission.ts'
import { BulkProgress } from './bulk/BulkProgress.tsx'
import { DocumentTable, NO_DOCUMENT_FILTERS, NoDocuments } from './list/DocumentTable.tsx'
import { DocumentsToolbar } from './list/DocumentsToolbar.tsx'
import { useDocumentSelection } from './bulk/useDocumentSelection.ts'
import { NoKnowledgeKey } from '../NoKnowledgeKey.tsx'
import { useDocumentList } from './list/useDocumentList.ts'

/** The documents of a dataset (operation 6), looked at every second while any of them is on its way. */
export function DocumentsPage() {
  const { dataset_id = '' } = useParams()
  const t = useMessages(documentMessages)
  const can = usePermission()
  const dialogs = useDocumentDialogs()
  const documents = useDocumentList(dataset_id, { renamed: dialogs.renamed })
  const { workspace, key, dataset, params, keyword, status, isFiltered, total, isEmpty, problem, page } = documents
  const data = page
  const selection = useDocumentSelection(documents.rows)
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
      title={dataset.name ?? dataset_id.slice(0, 8)}
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
      {problem ? (
        <DocumentListFallback
          problem={problem}
          dataset_id={dataset_id}
          workspace={workspace?.id}
          isFiltered={!data}
          onRetry={documents.retry}
          onReset={() => params.set({ ...NO_DOCUMENT_FILTERS, sort: null, limit: null })}
        />
      ) : null}
      {documents.hasNoKey && workspace ? (
        <NoKnowledgeKey workspace={workspace} title={t('noKey')}>
          {t('noKeyText')}
        </NoKnowledgeKey>
      ) : null}
      {data ? <IndexingStrip indexing={documents.indexingWatch} /> : null}
      {data && key && workspace ? (
        <SentDocuments
          sentDocuments={sentDocuments.sent}
          documents={data.data}
          problem={sentDocuments.problem}
          dataset_id={dataset_id}
          workspace={workspace.id}
          keyId={key.id}
          canListSegments={key.offers.includes('listSegments')}
          onClose={sentDocuments.putAway}
        />
      ) : null}
      <ReplacedDocuments
        documents={sentDocuments.replaced}
        dataset_id={dataset_id}
        workspace={workspace?.id}
        onClose={sentDocuments.dismissReplaced}
      />
      {data ? <ErrorGroups documents={data.data} dataset_id={dataset_id} workspace={workspace?.id} /> : null}
      {isEmpty ? <NoDocuments documents={documents} add={add} /> : null}
      {selection.documents.length > 0 && key && workspace ? (
        <SelectedDocuments
          selection={selection}
          documents={documents}
          dialogs={dialogs}
          dataset_id={dataset_id}
          name={dataset.name ?? dataset_id.slice(0, 8)}
          knowledge={key}
        />
      ) : null}
      <BulkProgress dataset_id={dataset_id} workspace={workspace?.id} />
      <WholeListNote documents={documents} />
      <DocumentTable dataset_id={dataset_id} documents={documents} dialogs={dialogs} selection={selection} />
      {key && workspace && dataset.isKnown ? (
        <DocumentDialogs
          dialogs={dialogs}
          dataset_id={dataset_id}
          name={dataset.name ?? dataset_id.slice(0, 8)}
          workspace={workspace.id}
          knowledge={key}
          defaults={{
            technique: dataset.technique,
            docForm: dataset.record?.doc_form ?? data?.data[0]?.doc_form ?? null,
          }}
          dialect={detectRetrievalDialect([dataset.record?.retrieval_model_dict])}
          filter={{ keyword, status }}
          total={total}
          onSent={sentDocuments.note}
          onDeleting={selection.clear}
          onDeleted={selection.remove}
        />
      ) : null}
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
