import { Button, NativeSelect } from '@mantine/core'
import { IconDownload, IconListSearch, IconMessage, IconPlus, IconSettings } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { contract } from '#contract/index.ts'
import { isFinal } from '#contract/records.ts'
import { paths } from '../../paths.ts'
import { ColumnMenu } from '../../ui/ColumnMenu.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { IdChip } from '../../ui/IdChip.tsx'
import { IndexingStrip } from '../../ui/indexing/IndexingStrip.tsx'
import { useWatch } from '../../ui/indexing/useWatch.ts'
import { Page } from '../../ui/Page.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { speechOf } from '../../ui/retrieval/retrieval.ts'
import { Since } from '../../ui/Since.tsx'
import { Table } from '../../ui/Table.tsx'
import { useColumns } from '../../ui/useColumns.ts'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useDataset } from '../../wire/useDataset.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Documents.module.css'
import { ErrorGroups } from './ErrorGroups.tsx'
import { Layers } from './Layers.tsx'
import { documentsWords } from './messages.ts'
import { RefusedDocuments } from './RefusedDocuments.tsx'
import { RowMenu } from './RowMenu.tsx'
import { SentDocuments } from './SentDocuments.tsx'
import { HIDDEN_AT_FIRST, useDocumentColumns } from './useDocumentColumns.tsx'
import { useLayer } from './useLayer.ts'
import { useSent } from './useSent.ts'
import { useMay } from '../../wire/useMay.ts'

const LOOK_EVERY_MS = 1000
/** What a platform filters by ("2.6" of the upstream facts); the interface has no filter but the keyword. */
const STATUSES = ['available', 'queuing', 'indexing', 'paused', 'error', 'disabled', 'archived']

/** The documents of a dataset (operation 6), looked at every second while any of them is on its way. */
export function DocumentsPage() {
  const { dataset_id = '' } = useParams()
  return <Documents key={dataset_id} dataset_id={dataset_id} />
}

/** One dataset's, so that nothing of another is shown or typed on while it loads. */
function Documents({ dataset_id }: { dataset_id: string }) {
  const t = useWords(documentsWords)
  const { workspace, keyOf, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const list = useListState()
  const may = useMay()
  const layer = useLayer()
  const sent = useSent(workspace?.id)
  const key = keyOf('knowledge')
  const dataset = useDataset(dataset_id, workspace?.id, key)
  const [keyword, status] = [list.get('keyword'), list.get('status')]
  const { data, error, refetch, isFetching, dataUpdatedAt } = useRead(
    contract.documents.list,
    {
      key: key?.id,
      params: { dataset_id },
      query: { keyword, status, page: list.get('page'), limit: list.get('limit') },
    },
    { poll: (reply) => (reply?.data.some((document) => !isFinal(document)) ? LOOK_EVERY_MS : false) },
  )
  const watching = useWatch(`indexing.${dataset_id}`, data?.data ?? [], dataUpdatedAt)
  const columns = useColumns(
    'documents',
    useDocumentColumns({ dataset_id, workspace: workspace?.id, watched: watching.watch.documents }),
    HIDDEN_AT_FIRST,
  )
  const problem = workspaceProblem ?? error?.problem
  const total = data?.total ?? data?.data.length ?? 0
  const isEmpty = data !== undefined && !problem && total === 0
  const isFiltered = Boolean(keyword ?? status)
  const search = workspace ? { workspace: workspace.id } : {}

  const add =
    key && may(contract.documents.createByText) ? (
      <Button leftSection={<IconPlus size={14} />} onClick={() => layer.open('add')}>
        {t('add')}
      </Button>
    ) : null
  const menu = key
    ? [
        {
          head: t('deeds'),
          cell: (document: NonNullable<typeof data>['data'][number]) => (
            <RowMenu
              document={document}
              dataset_id={dataset_id}
              knowledge={key}
              onUpdate={(by) => layer.update(document.id, by)}
              onDelete={() => layer.remove(document)}
              onExport={() => layer.exportOf(document)}
              onProblem={layer.refuse}
            />
          ),
        },
      ]
    : []

  return (
    <Page
      title={dataset.name ?? dataset_id.slice(0, 8)}
      crumbs={
        <>
          <Link to={paths.datasets(search)}>{t('datasets')}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      beside={<IdChip id={dataset_id} />}
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
              hotkey
            />
            <NativeSelect
              aria-label={t('statusFilter')}
              value={status ?? ''}
              onChange={(event) => list.set({ status: event.currentTarget.value })}
              data={[
                { value: '', label: t('anyStatus') },
                ...(status && !STATUSES.includes(status) ? [status] : []),
                ...STATUSES,
              ]}
            />
            <Button
              variant="default"
              leftSection={<IconDownload size={14} />}
              onClick={() => layer.exportOf(null)}
              disabled={total === 0}
            >
              {t('export')}
            </Button>
            <Refreshed busy={isFetching} onRefresh={() => void refetch()}>
              {dataUpdatedAt > 0
                ? t.rich('refreshed', { since: () => <Since at={new Date(dataUpdatedAt).toISOString()} ago /> })
                : null}
            </Refreshed>
            <ColumnMenu columns={columns} />
          </>
        ) : undefined
      }
    >
      {problem ? (
        <RefusedDocuments
          problem={problem}
          dataset_id={dataset_id}
          workspace={workspace?.id}
          remembers={!data}
          onRetry={() => (workspaceProblem ? retry() : void refetch())}
          onReset={() => list.set({ keyword: null, status: null, limit: null })}
        />
      ) : null}
      {layer.problem ? (
        <div className={classes.problem}>
          <ProblemNote problem={layer.problem} what={t('statusWhat')}>
            <Button variant="default" onClick={() => layer.refuse(null)}>
              {t('close')}
            </Button>
          </ProblemNote>
        </div>
      ) : null}
      {!key && !isLoading && !workspaceProblem ? <Empty title={t('noKey')}>{t('noKeyText')}</Empty> : null}
      {data ? <IndexingStrip watched={watching} /> : null}
      {data && key && workspace ? (
        <SentDocuments
          sent={sent.sent}
          documents={data.data}
          problem={sent.problem}
          dataset_id={dataset_id}
          workspace={workspace.id}
          keyId={key.id}
          isListed={key.offers.includes('listSegments')}
          onClose={sent.putAway}
        />
      ) : null}
      {data ? <ErrorGroups documents={data.data} dataset_id={dataset_id} workspace={workspace?.id} /> : null}
      {isEmpty && !isFiltered ? (
        <Empty title={t('emptyTitle')} actions={add}>
          {t('emptyText')}
        </Empty>
      ) : null}
      {isEmpty && isFiltered ? (
        <Empty
          title={t(keyword ? 'noneTitle' : 'noneStatusTitle')}
          actions={<Button onClick={() => list.set({ keyword: null, status: null })}>{t('clear')}</Button>}
        >
          {keyword ? t('noneText', { keyword }) : t('noneStatusText', { status: status ?? '' })}
        </Empty>
      ) : null}
      {(data && total > 0) || (!data && !problem && (key || isLoading)) ? (
        <Table label={t('documents')} columns={[...columns.shown, ...menu]} rows={data?.data} keyOf={({ id }) => id} />
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
        <Layers
          layer={layer}
          dataset_id={dataset_id}
          name={dataset.name ?? dataset_id.slice(0, 8)}
          workspace={workspace.id}
          knowledge={key}
          technique={dataset.technique}
          heard={speechOf([dataset.record?.retrieval_model_dict])}
          filter={{ keyword, status }}
          total={total}
          onSent={sent.note}
        />
      ) : null}
    </Page>
  )
}
