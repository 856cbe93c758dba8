import { Button, Flex } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { type Batch, batchEndpoints } from '#contract/console/batches.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { paths } from '#domain/paths.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { NoApp } from '../playground/inputsApp/NoApp.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ResourceListPage } from '../../components/layout/ResourceListPage.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import type { TableColumn } from '../../components/data/Table.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import classes from './Batch.module.css'
import { formatPrices, formatProgress } from './batchFigures.ts'
import { batchMessages } from './messages.ts'
import { Can } from '../../client/Can.tsx'

const DEFAULT_PAGE_SIZE_ROWS = 20
const IDLE_LIST_POLL_INTERVAL_MS = 5_000
const RUNNING_LIST_POLL_INTERVAL_MS = 1_500

/** `/batches`: the batches of the workspace, newest first. */
export function BatchesPage() {
  const t = useMessages(batchMessages)
  const currentWorkspace = useWorkspace()
  const { workspace } = currentWorkspace
  const { get } = useSearchParamState()
  const columns = useBatchColumns(workspace)
  const read = useRead(
    batchEndpoints.listBatches,
    { query: { workspace: workspace?.id ?? '', page: get('page') ?? 1, limit: DEFAULT_PAGE_SIZE_ROWS } },
    {
      enabled: workspace !== undefined,
      pollIntervalMs: (reply) =>
        reply?.data.some(({ state }) => state === 'running')
          ? RUNNING_LIST_POLL_INTERVAL_MS
          : IDLE_LIST_POLL_INTERVAL_MS,
    },
  )
  if (!workspace)
    return (
      <NoApp
        title={t('title')}
        currentWorkspace={currentWorkspace}
        problemContext={t('listWorkspaces')}
        emptyTitle={t('noWorkspace')}
        emptyText={t('noWorkspaceText')}
      />
    )
  const createButton = (
    <Can entry={batchEndpoints.createBatch}>
      <Button component={Link} to={paths.newBatch({ workspace: workspace.id })} leftSection={<IconPlus size={14} />}>
        {t('new')}
      </Button>
    </Can>
  )
  return (
    <ResourceListPage<Batch>
      title={t('title')}
      read={read}
      rows={read.data?.data}
      page={read.data}
      action={t('listWhat')}
      actions={createButton}
      refreshedText={(values) => t.rich('refreshed', values)}
      columns={columns}
      getKey={({ id }) => id}
      empty={
        <EmptyState title={t('emptyTitle')} actions={createButton}>
          {t('emptyText')}
        </EmptyState>
      }
    />
  )
}

/** On a phone one column has it all. */
function useBatchColumns(workspace: Workspace | undefined): TableColumn<Batch>[] {
  const t = useMessages(batchMessages)
  const isPhone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const getKeyLabel = (id: string) => workspace?.keys.find((key) => key.id === id)?.label
  const columns: TableColumn<Batch>[] = [
    {
      header: t('name'),
      grows: true,
      cell: (batch) => (
        <span className={classes.name}>
          <StatusBadge {...getBatchStatus(batch)} isPlain />
          <Link to={paths.batch(batch.id, { workspace: batch.workspace })} dir="auto">
            {batch.name}
          </Link>
          {isPhone ? (
            <Flex wrap="wrap" rowGap={2} columnGap="md" w="100%" fz="xs" c="dimmed" style={{ whiteSpace: 'normal' }}>
              <span>{batch.key && getKeyLabel(batch.key)}</span>
              <span>{formatProgress(t, batch)}</span>
              {batch.state !== 'ended' && batch.counts.failed + batch.counts.unknown > 0 ? (
                <span>{t('failedRows', { n: batch.counts.failed + batch.counts.unknown })}</span>
              ) : null}
              <RelativeTime at={batch.created_at} />
            </Flex>
          ) : null}
        </span>
      ),
    },
    { header: t('app'), cell: ({ key }) => key && (getKeyLabel(key) ?? t('deletedKey', { id: key.slice(0, 8) })) },
    { header: t('kind'), cell: ({ kind }) => t(`kinds.${kind}`) },
    {
      header: t('done'),
      isNumeric: true,
      cell: (batch) => formatProgress(t, batch),
    },
    { header: t('problems'), isNumeric: true, cell: ({ counts }) => formatCount(counts.failed + counts.unknown) },
    { header: t('tokens'), isNumeric: true, cell: ({ tokens }) => (tokens === null ? null : formatCount(tokens)) },
    { header: t('price'), isNumeric: true, cell: (batch) => formatPrices(batch.prices) },
    { header: t('startedBy'), cell: ({ person }) => person },
    { header: t('created'), isNumeric: true, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  ]
  return isPhone ? columns.slice(0, 1) : columns
}
