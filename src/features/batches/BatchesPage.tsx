import { Button, Flex, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { type Batch, batchEndpoints } from '#contract/console/batches.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { paths } from '#domain/paths.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { NoApp } from '../playground/inputsApp/NoApp.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Pager } from '../../components/data/Pager.tsx'
import { ReadBoundary } from '../../components/layout/ReadBoundary.tsx'
import { RefreshControl } from '../../components/data/RefreshControl.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { type TableColumn, Table } from '../../components/data/Table.tsx'
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
  const { get, set } = useSearchParamState()
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
  const count = read.data?.total ?? 0
  const isEmpty = read.data?.total === 0
  const table = (rows: readonly Batch[] | undefined) => (
    <BatchTable rows={rows} getKeyLabel={(id) => workspace.keys.find((key) => key.id === id)?.label} />
  )
  return (
    <Page
      title={t('title')}
      titleSuffix={
        count > 0 ? (
          <Text span fz="sm" c="dimmed">
            {formatCount(count)}
          </Text>
        ) : null
      }
      actions={isEmpty ? null : createButton}
      toolbar={
        isEmpty ? undefined : (
          <RefreshControl isBusy={read.isFetching} onRefresh={() => void read.refetch()}>
            {read.dataUpdatedAt > 0
              ? t.rich('refreshed', {
                  since: () => <RelativeTime at={new Date(read.dataUpdatedAt).toISOString()} />,
                })
              : null}
          </RefreshControl>
        )
      }
    >
      <title>{`${t('title')} · Loupe`}</title>
      <ReadBoundary
        read={read}
        action={t('listWhat')}
        isInset
        loading={table(undefined)}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState title={t('emptyTitle')} actions={createButton}>
            {t('emptyText')}
          </EmptyState>
        }
      >
        {({ data, page, total }) => (
          <>
            {data.length > 0 ? (
              table(data)
            ) : (
              <EmptyState
                title={t('notHereTitle')}
                actions={
                  <Button variant="default" onClick={() => set({ page: null })}>
                    {t('firstPage')}
                  </Button>
                }
              />
            )}
            {total > DEFAULT_PAGE_SIZE_ROWS ? (
              <Pager page={page} limit={DEFAULT_PAGE_SIZE_ROWS} total={total} onPage={(to) => set({ page: to })} />
            ) : null}
          </>
        )}
      </ReadBoundary>
    </Page>
  )
}

function BatchTable({
  rows,
  getKeyLabel,
}: {
  rows: readonly Batch[] | undefined
  getKeyLabel: (key: string) => string | undefined
}) {
  const t = useMessages(batchMessages)
  const isPhone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
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
  return (
    <Table label={t('title')} columns={isPhone ? columns.slice(0, 1) : columns} rows={rows} getKey={({ id }) => id} />
  )
}
