import { Box, Button, Text } from '@mantine/core'
import { IconClipboard, IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { resourceEndpoints } from '#contract/console/resources.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { datasetEndpoints } from '#contract/platform/datasets.ts'
import { paths } from '#domain/paths.ts'
import { isBeyondGrants } from '../../../client/grants.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { ColumnMenu } from '../../../components/data/ColumnMenu.tsx'
import { useColumnVisibility } from '../../../components/data/useColumnVisibility.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ResourceListPage } from '../../../components/layout/ResourceListPage.tsx'
import { NoApp } from '../../playground/inputsApp/NoApp.tsx'
import { TagFilter } from '../tags/DatasetTags.tsx'
import type { DatasetRow } from './datasetRow.ts'
import { datasetMessages } from './messages.ts'
import { HIDDEN_DATASET_COLUMNS, useDatasetColumns } from './useDatasetColumns.tsx'
import { MAX_SORTED_DATASETS, useDatasetList } from './useDatasetList.ts'

// Forms are loaded when they are first opened.
const LazyAdoptDataset = lazyWithPreload(async () => (await import('./CreateDataset.tsx')).AdoptDataset)
const LazyCreateDataset = lazyWithPreload(async () => (await import('./CreateDataset.tsx')).CreateDataset)

/** `/datasets`: the datasets of a workspace, as the platform lists them where it does, else as the ledger knows them. */
export function DatasetsPage() {
  const t = useMessages(datasetMessages)
  const currentWorkspace = useWorkspace()
  const { workspace } = currentWorkspace
  if (!workspace || isBeyondGrants(workspace, ['knowledge']))
    return (
      <NoApp
        title={t('datasets')}
        currentWorkspace={currentWorkspace}
        keyKinds={['knowledge']}
        problemContext={t('listWorkspaces')}
        emptyTitle={t('noWorkspace')}
        emptyText={t('noWorkspaceText')}
      />
    )
  return <DatasetList key={workspace.id} workspace={workspace} />
}

/** One workspace's, so that nothing of another is shown or typed on while it loads. */
function DatasetList({ workspace }: { workspace: Workspace }) {
  const t = useMessages(datasetMessages)
  const { findKey } = useWorkspace()
  const can = usePermission()
  const navigate = useNavigate()
  const { get, set } = useSearchParamState()
  const [open, setOpen] = useState<'create' | 'adopt' | null>(null)
  const knowledge = findKey('knowledge')
  const { read, isFromPlatform, hasTags, q, tag, sort, totalBeyondLimit } = useDatasetList(workspace.id, knowledge)
  const all = useDatasetColumns({ isFromPlatform, knowledge, tag, isBuiltIn: workspace.builtin, sort })
  const columns = useColumnVisibility('datasets', all, HIDDEN_DATASET_COLUMNS)
  // The list from the ledger does not call the platform, so it would not show that the key is refused.
  const keyProblem = isFromPlatform ? null : knowledge?.last_problem
  const dialog = { workspace: workspace.id, onClose: () => setOpen(null) }
  const adopt = can(resourceEndpoints.adoptResource) ? (
    <Button variant="default" leftSection={<IconClipboard size={14} />} onClick={() => setOpen('adopt')}>
      {t('adopt')}
    </Button>
  ) : null
  const create = can(datasetEndpoints.create) ? (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setOpen('create')}>
      {t('create')}
    </Button>
  ) : null
  return (
    <ResourceListPage<DatasetRow>
      title={t('datasets')}
      read={read}
      rows={read.data?.data}
      page={read.data}
      hasPageSize
      action={t('listWhat')}
      actions={
        <>
          {adopt}
          {create}
        </>
      }
      search={{ label: t('search'), param: 'q', hasShortcut: true }}
      filters={
        hasTags && knowledge ? (
          <TagFilter keyId={knowledge.id} value={get('tag')} onChange={(to) => set({ tag: to })} />
        ) : null
      }
      isFiltered={Boolean(q) || Boolean(tag)}
      refreshedText={(values) => t.rich(isFromPlatform ? 'listedByPlatform' : 'seen', values)}
      columnMenu={<ColumnMenu columns={columns} />}
      columns={columns.visible}
      getKey={({ id }) => id}
      rowActions={{
        onEdit: ({ id }) => void navigate(paths.datasetSettings(id, { workspace: workspace.id })),
      }}
      problemActions={
        read.error?.problem.kind === 'invalid' ? (
          <Button variant="default" onClick={() => set({ q: null, limit: null })}>
            {t('firstPage')}
          </Button>
        ) : null
      }
      note={
        <>
          {keyProblem ? (
            <Box p="lg" maw={820}>
              <ProblemAlert problem={keyProblem} title={t('keyProblem')} />
            </Box>
          ) : null}
          {totalBeyondLimit === null ? null : (
            <Text px="lg" py="sm" fz="sm" c="dimmed" role="status">
              {t('sortedPart', { n: MAX_SORTED_DATASETS, total: totalBeyondLimit })}
            </Text>
          )}
        </>
      }
      empty={
        <EmptyState
          title={t(isFromPlatform ? 'emptyListed' : 'emptyTitle')}
          actions={
            <>
              {create}
              {adopt}
            </>
          }
        >
          {t(isFromPlatform ? 'emptyListedText' : 'emptyText')}
        </EmptyState>
      }
      noMatch={
        <EmptyState
          title={t('noneTitle')}
          actions={
            <Button onClick={() => set({ q: null, tag: null })}>{t(tag ? 'clearFilters' : 'clearSearch')}</Button>
          }
        >
          {tag ? t('noneTagged') : t('noneText', { q: q ?? '' })}
        </EmptyState>
      }
    >
      <Suspense>
        {open === 'create' ? <LazyCreateDataset {...dialog} knowledge={knowledge} /> : null}
        {open === 'adopt' ? <LazyAdoptDataset {...dialog} /> : null}
      </Suspense>
    </ResourceListPage>
  )
}
