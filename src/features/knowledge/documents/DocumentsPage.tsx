import { Button, NativeSelect } from '@mantine/core'
import { IconDownload, IconListSearch, IconMessage, IconPlus, IconSettings } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { contract } from '#contract/index.ts'
import { isIndexingFinal } from '#domain/documentRecord.ts'
import { paths } from '#domain/paths.ts'
import { ColumnMenu } from '../../../components/data/ColumnMenu.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { SearchField } from '../../../components/forms/SearchField.tsx'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { IndexingStrip } from '../indexing/IndexingStrip.tsx'
import { useIndexingWatch } from '../indexing/useIndexingWatch.ts'
import { Page } from '../../../components/layout/Page.tsx'
import { Pager } from '../../../components/data/Pager.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RefreshControl } from '../../../components/data/RefreshControl.tsx'
import { detectRetrievalDialect } from '../retrieval/retrievalModelForm.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { Table } from '../../../components/data/Table.tsx'
import { useColumnVisibility } from '../../../components/data/useColumnVisibility.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { useDataset } from '../useDataset.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import classes from './Documents.module.css'
import { ErrorGroups } from './ErrorGroups.tsx'
import { DocumentDialogs } from './DocumentDialogs.tsx'
import { documentMessages } from './messages.ts'
import { DocumentListFallback } from './DocumentListFallback.tsx'
import { DocumentRowMenu } from './DocumentRowMenu.tsx'
import { SentDocuments } from './SentDocuments.tsx'
import { INITIALLY_HIDDEN_COLUMNS, useDocumentColumns } from './useDocumentColumns.tsx'
import { useDocumentDialogs } from './useDocumentDialogs.ts'
import { useSentDocuments } from './useSentDocuments.ts'
import { usePermission } from '../../../client/usePermission.ts'

const INDEXING_POLL_INTERVAL_MS = 1000
/** What a platform filters by ("2.6" of the upstream facts); the interface has no filter but the keyword. */
const DOCUMENT_STATUS_FILTERS = ['available', 'queuing', 'indexing', 'paused', 'error', 'disabled', 'archived']

/** The documents of a dataset (operation 6), looked at every second while any of them is on its way. */
export function DocumentsPage() {
  const { dataset_id = '' } = useParams()
  return <DocumentsView key={dataset_id} dataset_id={dataset_id} />
}

/** One dataset's, so that nothing of another is shown or typed on while it loads. */
function DocumentsView({ dataset_id }: { dataset_id: string }) {
  const t = useMessages(documentMessages)
  const { workspace, findKey, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const list = useSearchParamState()
  const can = usePermission()
  const dialogs = useDocumentDialogs()
  const sentDocuments = useSentDocuments(workspace?.id)
  const key = findKey('knowledge')
  const dataset = useDataset(dataset_id, workspace?.id, key)
  const [keyword, status] = [list.get('keyword'), list.get('status')]
  const { data, error, refetch, isFetching, dataUpdatedAt } = useRead(
    contract.documents.list,
    {
      key: key?.id,
      params: { dataset_id },
      query: { keyword, status, page: list.get('page'), limit: list.get('limit') },
    },
    {
      pollIntervalMs: (reply) =>
        reply?.data.some((document) => !isIndexingFinal(document)) ? INDEXING_POLL_INTERVAL_MS : false,
    },
  )
  const indexingWatch = useIndexingWatch(`indexing.${dataset_id}`, data?.data ?? [], dataUpdatedAt)
  const columns = useColumnVisibility(
    'documents',
    useDocumentColumns({ dataset_id, workspace: workspace?.id, watchedDocuments: indexingWatch.watch.documents }),
    INITIALLY_HIDDEN_COLUMNS,
  )
  const problem = workspaceProblem ?? error?.problem
  const total = data?.total ?? data?.data.length ?? 0
  const isEmpty = data !== undefined && !problem && total === 0
  const isFiltered = Boolean(keyword ?? status)
  const search = workspace ? { workspace: workspace.id } : {}

  const add =
    key && can(contract.documents.createByText) ? (
      <Button leftSection={<IconPlus size={14} />} onClick={() => dialogs.open('add')}>
        {t('add')}
      </Button>
    ) : null
  const menu = key
    ? [
        {
          header: t('more'),
          cell: (document: NonNullable<typeof data>['data'][number]) => (
            <DocumentRowMenu
              document={document}
              dataset_id={dataset_id}
              knowledge={key}
              onUpdate={(updateSource) => dialogs.update(document.id, updateSource)}
              onDelete={() => dialogs.remove(document)}
              onExport={() => dialogs.exportOf(document)}
              onProblem={dialogs.refuse}
            />
          ),
        },
      ]
    : []

  return (
    <Page
      title={dataset.name ?? dataset_id.slice(0, 8)}
      breadcrumbs={
        <>
          <Link to={paths.datasets(search)}>{t('datasets')}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      titleSuffix={<IdChip id={dataset_id} />}
      actions={
        <div className={classes.actions}>
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
          <Button
            variant="default"
            data-aside
            leftSection={<IconMessage size={14} />}
            component={Link}
            to={paths.chat({ workspace: workspace?.id ?? '' })}
          >
            {t('ask')}
          </Button>
          {add}
        </div>
      }
      toolbar={
        key && !(isEmpty && !isFiltered) ? (
          <>
            <SearchField
              label={t('search')}
              value={keyword ?? ''}
              onSearch={(words) => list.set({ keyword: words })}
              hasShortcut
            />
            <NativeSelect
              aria-label={t('statusFilter')}
              value={status ?? ''}
              onChange={(event) => list.set({ status: event.currentTarget.value })}
              data={[
                { value: '', label: t('anyStatus') },
                ...(status && !DOCUMENT_STATUS_FILTERS.includes(status) ? [status] : []),
                ...DOCUMENT_STATUS_FILTERS,
              ]}
            />
            <Button
              variant="default"
              leftSection={<IconDownload size={14} />}
              onClick={() => dialogs.exportOf(null)}
              disabled={total === 0}
            >
              {t('export')}
            </Button>
            <RefreshControl isBusy={isFetching} onRefresh={() => void refetch()}>
              {dataUpdatedAt > 0
                ? t.rich('listedByPlatform', {
                    since: () => <RelativeTime at={new Date(dataUpdatedAt).toISOString()} showsAgo />,
                  })
                : null}
            </RefreshControl>
            <ColumnMenu columns={columns} />
          </>
        ) : undefined
      }
    >
      {problem ? (
        <DocumentListFallback
          problem={problem}
          dataset_id={dataset_id}
          workspace={workspace?.id}
          isFiltered={!data}
          onRetry={() => (workspaceProblem ? retry() : void refetch())}
          onReset={() => list.set({ keyword: null, status: null, limit: null })}
        />
      ) : null}
      {dialogs.problem ? (
        <div className={classes.problem}>
          <ProblemAlert problem={dialogs.problem} action={t('statusWhat')}>
            <Button variant="default" onClick={() => dialogs.refuse(null)}>
              {t('close')}
            </Button>
          </ProblemAlert>
        </div>
      ) : null}
      {!key && !isLoading && !workspaceProblem ? <EmptyState title={t('noKey')}>{t('noKeyText')}</EmptyState> : null}
      {data ? <IndexingStrip indexing={indexingWatch} /> : null}
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
      {data ? <ErrorGroups documents={data.data} dataset_id={dataset_id} workspace={workspace?.id} /> : null}
      {isEmpty && !isFiltered ? (
        <EmptyState title={t('emptyTitle')} actions={add}>
          {t('emptyText')}
        </EmptyState>
      ) : null}
      {isEmpty && isFiltered ? (
        <EmptyState
          title={t(keyword ? 'noneTitle' : 'noneStatusTitle')}
          actions={<Button onClick={() => list.set({ keyword: null, status: null })}>{t('clearSearch')}</Button>}
        >
          {keyword ? t('noneText', { keyword }) : t('noneStatusText', { status: status ?? '' })}
        </EmptyState>
      ) : null}
      {(data && total > 0) || (!data && !problem && (key || isLoading)) ? (
        <Table
          label={t('documents')}
          columns={[...columns.visible, ...menu]}
          rows={data?.data}
          getKey={({ id }) => id}
        />
      ) : null}
      {data && total > 0 ? (
        <Pager
          page={data.page ?? Number(list.get('page') ?? 1)}
          limit={data.limit ?? Number(list.get('limit') ?? 20)}
          total={total}
          onPage={(page) => list.set({ page })}
          onLimit={(limit) => list.set({ limit })}
        />
      ) : null}
      {key && workspace && dataset.isKnown ? (
        <DocumentDialogs
          dialogs={dialogs}
          dataset_id={dataset_id}
          name={dataset.name ?? dataset_id.slice(0, 8)}
          workspace={workspace.id}
          knowledge={key}
          technique={dataset.technique}
          dialect={detectRetrievalDialect([dataset.record?.retrieval_model_dict])}
          filter={{ keyword, status }}
          total={total}
          onSent={sentDocuments.note}
        />
      ) : null}
    </Page>
  )
}
