import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Batch } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { count } from '../../run/figures.ts'
import { NoApp } from '../../run/playground/NoApp.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Batch.module.css'
import { endedIn, pricesOf, wordOf } from './figures.ts'
import { batchesWords } from './messages.ts'
import { May } from '../../wire/May.tsx'

const LIMIT = 20
const POLL = 5_000
const POLL_RUNNING = 1_500

/** `/batches`: the batches of the workspace, newest first. */
export function BatchesPage() {
  const t = useWords(batchesWords)
  const here = useWorkspace()
  const { workspace } = here
  const { get, set } = useListState()
  const { data, error, refetch, isFetching, dataUpdatedAt } = useRead(
    contract.console.listBatches,
    { query: { workspace: workspace?.id ?? '', page: get('page') ?? 1, limit: LIMIT } },
    {
      enabled: workspace !== undefined,
      poll: (reply) => (reply?.data.some(({ state }) => state === 'running') ? POLL_RUNNING : POLL),
    },
  )
  if (!workspace)
    return (
      <NoApp
        title={t('title')}
        here={here}
        listing={t('listWorkspaces')}
        missing={t('noWorkspace')}
        why={t('noWorkspaceWhy')}
      />
    )
  const make = (
    <May entry={contract.console.createBatch}>
      <Button component={Link} to={paths.newBatch({ workspace: workspace.id })} leftSection={<IconPlus size={14} />}>
        {t('new')}
      </Button>
    </May>
  )
  const isEmpty = data?.total === 0
  return (
    <Page
      title={t('title')}
      beside={data && data.total > 0 ? <span className={classes.count}>{count(data.total)}</span> : null}
      actions={isEmpty ? null : make}
      toolbar={
        isEmpty ? undefined : (
          <Refreshed busy={isFetching} onRefresh={() => void refetch()}>
            {dataUpdatedAt > 0
              ? t.rich('refreshed', { since: () => <Since at={new Date(dataUpdatedAt).toISOString()} ago /> })
              : null}
          </Refreshed>
        )
      }
    >
      <title>{`${t('title')} · Loupe`}</title>
      {error ? (
        <div className={classes.alone}>
          <ProblemNote problem={error.problem} what={t('listWhat')} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {isEmpty ? (
        <Empty title={t('emptyTitle')} actions={make}>
          {t('emptyText')}
        </Empty>
      ) : data?.data.length === 0 ? (
        <Empty
          title={t('notHereTitle')}
          actions={
            <Button variant="default" onClick={() => set({ page: null })}>
              {t('firstPage')}
            </Button>
          }
        />
      ) : error && !data ? null : (
        <BatchTable rows={data?.data} labelOf={(id) => workspace.keys.find((key) => key.id === id)?.label} />
      )}
      {data && data.total > LIMIT ? (
        <Pager page={data.page} limit={LIMIT} total={data.total} onPage={(page) => set({ page })} />
      ) : null}
    </Page>
  )
}

function BatchTable({
  rows,
  labelOf,
}: {
  rows: readonly Batch[] | undefined
  labelOf: (key: string) => string | undefined
}) {
  const t = useWords(batchesWords)
  const columns: Column<Batch>[] = [
    {
      head: t('name'),
      grow: true,
      cell: (batch) => (
        <span className={classes.name}>
          <StateBadge word={wordOf(batch)} plain />
          <Link to={paths.batch(batch.id, { workspace: batch.workspace })} dir="auto">
            {batch.name}
          </Link>
        </span>
      ),
    },
    { head: t('app'), cell: ({ key }) => labelOf(key) ?? t('deletedKey', { id: key.slice(0, 8) }) },
    { head: t('kind'), cell: ({ kind }) => t(`kinds.${kind}`) },
    { head: t('done'), number: true, cell: (batch) => t('rowsDone', { done: endedIn(batch), total: batch.total }) },
    { head: t('problems'), number: true, cell: ({ counts }) => count(counts.failed + counts.unknown) },
    { head: t('tokens'), number: true, cell: ({ tokens }) => (tokens === null ? null : count(tokens)) },
    { head: t('price'), number: true, cell: (batch) => pricesOf(batch.prices) },
    { head: t('person'), cell: ({ person }) => person },
    { head: t('created'), number: true, cell: ({ created_at }) => <Since at={created_at} /> },
  ]
  return <Table label={t('title')} columns={columns} rows={rows} keyOf={({ id }) => id} />
}
