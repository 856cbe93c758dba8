import { Box, Button, Text } from '@mantine/core'
import { IconClipboard, IconPlus } from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { datasetEndpoints } from '#contract/platform/datasets.ts'
import { paths } from '#domain/paths.ts'
import { ColumnMenu } from '../../../components/data/ColumnMenu.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { GrantNote } from '../../../components/layout/GrantNote.tsx'
import { SearchField } from '../../../components/forms/SearchField.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { Pager } from '../../../components/data/Pager.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RefreshControl } from '../../../components/data/RefreshControl.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { Table } from '../../../components/data/Table.tsx'
import { type ColumnVisibility, useColumnVisibility } from '../../../components/data/useColumnVisibility.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { formatGrants, isBeyondGrants } from '../../../client/grants.ts'
import { type CurrentWorkspace, useWorkspace } from '../../../client/useWorkspace.ts'
import { TagFilter } from '../tags/DatasetTags.tsx'
import { HIDDEN_DATASET_COLUMNS, useDatasetColumns } from './useDatasetColumns.tsx'
import type { DatasetRow } from './datasetRow.ts'
import { useDatasetList, MAX_SORTED_DATASETS } from './useDatasetList.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { datasetMessages } from './messages.ts'
import { usePermission } from '../../../client/usePermission.ts'

type DatasetDialog = 'create' | 'adopt'

// Forms are loaded when they are first opened.
const LazyAdoptDataset = lazyWithPreload(async () => (await import('./CreateDataset.tsx')).AdoptDataset)
const LazyCreateDataset = lazyWithPreload(async () => (await import('./CreateDataset.tsx')).CreateDataset)

/** The datasets of a workspace: as the platform lists them where it does, else as the ledger knows them. */
export function DatasetsPage() {
  const current = useWorkspace()
  const t = useMessages(datasetMessages)
  const { workspace } = current
  if (workspace && isBeyondGrants(workspace, ['knowledge']))
    return (
      <Page title={t('datasets')}>
        <GrantNote workspace={workspace.name} grants={formatGrants(workspace)} />
      </Page>
    )
  return <DatasetsView key={workspace?.id} current={current} />
}

/** One workspace's, so that nothing of another is shown or typed on while it loads. */
function DatasetsView({ current }: { current: CurrentWorkspace }) {
  const t = useMessages(datasetMessages)
  const { workspace, findKey, isLoading, problem: workspaceProblem, retry } = current
  const can = usePermission()
  const navigate = useNavigate()
  const list = useSearchParamState()
  const [open, setOpen] = useState<DatasetDialog | null>(null)
  const knowledge = findKey('knowledge')
  const datasets = useDatasetList(workspace?.id, knowledge)
  const { data, error, refetch, isListed: isFromPlatform, sort, q, tag, hasTags } = datasets
  const all = useDatasetColumns({ isFromPlatform, knowledge, tag, isBuiltIn: workspace?.builtin ?? false, sort })
  const columns = useColumnVisibility('datasets', all, HIDDEN_DATASET_COLUMNS)
  const problem = workspaceProblem ?? error?.problem
  const isUnfiltered = data?.total === 0 && !q && !tag
  // The list out of the ledger asks nothing of the platform, so it would not say that the key is refused there.
  const keyProblem = isFromPlatform ? null : (knowledge?.last_problem ?? null)

  const dialog = workspace && { workspace: workspace.id, onClose: () => setOpen(null) }
  const adopt =
    workspace && can(resourceEndpoints.adoptResource) ? (
      <Button variant="default" leftSection={<IconClipboard size={14} />} onClick={() => setOpen('adopt')}>
        {t('adopt')}
      </Button>
    ) : null
  const create =
    workspace && can(datasetEndpoints.create) ? (
      <Button leftSection={<IconPlus size={14} />} onClick={() => setOpen('create')}>
        {t('create')}
      </Button>
    ) : null
  return (
    <Page
      title={t('datasets')}
      titleSuffix={
        data && data.total > 0 ? (
          <Text span c="dimmed" fz="sm">
            {data.total}
          </Text>
        ) : null
      }
      actions={
        <>
          {adopt}
          {create}
        </>
      }
      toolbar={
        workspace && !isUnfiltered ? (
          <DatasetsToolbar datasets={datasets} columns={columns} tagKeyId={hasTags ? knowledge?.id : undefined} />
        ) : undefined
      }
    >
      {problem ? (
        <Box p="lg" maw={820}>
          <ProblemAlert
            problem={problem}
            action={t('listWhat')}
            onRetry={() => (workspaceProblem ? retry() : void refetch())}
          >
            {problem.kind === 'invalid' ? (
              <Button variant="default" onClick={() => list.set({ q: null, limit: null })}>
                {t('firstPage')}
              </Button>
            ) : null}
          </ProblemAlert>
        </Box>
      ) : null}
      {keyProblem ? (
        <Box p="lg" maw={820}>
          <ProblemAlert problem={keyProblem} title={t('keyProblem')} />
        </Box>
      ) : null}
      {!workspace && !isLoading && !workspaceProblem ? (
        <EmptyState title={t('noWorkspace')}>{t('noWorkspaceText')}</EmptyState>
      ) : null}
      {data?.total === 0 ? (
        <NoDatasets datasets={datasets}>
          {create}
          {adopt}
        </NoDatasets>
      ) : null}
      <SortedPartNote total={datasets.totalBeyondLimit} />
      {(data && data.total > 0) || (!data && !problem && (workspace || isLoading)) ? (
        <Table
          label={t('datasets')}
          columns={columns.visible}
          rows={data?.data}
          getKey={({ id }) => id}
          rowActions={{
            onEdit: ({ id }) => void navigate(paths.datasetSettings(id, workspace ? { workspace: workspace.id } : {})),
          }}
        />
      ) : null}
      {data && data.total > 0 ? (
        <Pager
          page={data.page}
          limit={data.limit}
          total={data.total}
          hasMore={data.total_capped}
          onPage={(page) => list.set({ page })}
          onLimit={(limit) => list.set({ limit })}
        />
      ) : null}
      {dialog ? (
        <Suspense>
          {open === 'create' ? <LazyCreateDataset {...dialog} knowledge={knowledge} /> : null}
          {open === 'adopt' ? <LazyAdoptDataset {...dialog} /> : null}
        </Suspense>
      ) : null}
    </Page>
  )
}

interface DatasetsToolbarProps {
  datasets: ReturnType<typeof useDatasetList>
  columns: ColumnVisibility<DatasetRow>
  /** The key whose platform has tags; undefined where none are offered. */
  tagKeyId: string | undefined
}

function DatasetsToolbar({ datasets, columns, tagKeyId }: DatasetsToolbarProps) {
  const t = useMessages(datasetMessages)
  const list = useSearchParamState()
  const { refetch, isFetching, dataUpdatedAt, isListed: isFromPlatform } = datasets
  return (
    <>
      <SearchField
        label={t('search')}
        value={list.get('q') ?? ''}
        onSearch={(words) => list.set({ q: words })}
        hasShortcut
      />
      {tagKeyId ? <TagFilter keyId={tagKeyId} value={list.get('tag')} onChange={(tag) => list.set({ tag })} /> : null}
      <RefreshControl isBusy={isFetching} onRefresh={() => void refetch()}>
        {dataUpdatedAt > 0
          ? t.rich(isFromPlatform ? 'listedByPlatform' : 'seen', {
              since: () => <RelativeTime at={new Date(dataUpdatedAt).toISOString()} />,
            })
          : null}
      </RefreshControl>
      <ColumnMenu columns={columns} />
    </>
  )
}

/** Where the list is longer than what was read to sort it. */
function SortedPartNote({ total }: { total: number | null }) {
  const t = useMessages(datasetMessages)
  if (total === null) return null
  return (
    <Text px="lg" py="sm" fz="sm" c="dimmed" role="status">
      {t('sortedPart', { n: MAX_SORTED_DATASETS, total })}
    </Text>
  )
}

interface NoDatasetsProps {
  datasets: ReturnType<typeof useDatasetList>
  children: ReactNode
}

function NoDatasets({ datasets: { q, tag, isListed: isFromPlatform }, children }: NoDatasetsProps) {
  const t = useMessages(datasetMessages)
  const list = useSearchParamState()
  if (tag)
    return (
      <EmptyState
        title={t('noneTitle')}
        actions={<Button onClick={() => list.set({ q: null, tag: null })}>{t('clearFilters')}</Button>}
      >
        {t('noneTagged')}
      </EmptyState>
    )
  if (q)
    return (
      <EmptyState
        title={t('noneTitle')}
        actions={<Button onClick={() => list.set({ q: null })}>{t('clearSearch')}</Button>}
      >
        {t('noneText', { q })}
      </EmptyState>
    )
  return (
    <EmptyState title={t(isFromPlatform ? 'emptyListed' : 'emptyTitle')} actions={children}>
      {t(isFromPlatform ? 'emptyListedText' : 'emptyText')}
    </EmptyState>
  )
}
