import { Button } from '@mantine/core'
import { IconClockShield } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { contract } from '#contract/index.ts'
import { paths } from '#domain/paths.ts'
import { CallFilters } from '../runs/callFilters/CallFilters.tsx'
import { readCallFilters, emptyCallFilters, toFilterParams } from '../runs/callFilters/callFilterParams.ts'
import { ListDetailLayout } from '../../components/layout/ListDetailLayout.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { SearchField } from '../../components/forms/SearchField.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { RefreshControl } from '../../components/data/RefreshControl.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useCursorPages } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { CallPane } from './CallPane.tsx'
import { LedgerExportMenu } from './LedgerExportMenu.tsx'
import { LEDGER_FILTERS, LEDGER_OPERATIONS, toLedgerQuery } from './ledgerFilters.ts'
import { IdLookupNote } from './IdLookupNote.tsx'
import classes from './Ledger.module.css'
import { LedgerTable } from './LedgerTable.tsx'
import { ledgerMessages } from './messages.ts'

/** The most that the server gives at once. */
const PAGE_SIZE_ROWS = 100

/** `/ledger`: every call that changed something or made the platform generate, and what an id in the search field is. */
export function LedgerPage() {
  const t = useMessages(ledgerMessages)
  const { workspace, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const { search: address } = useLocation()
  const list = useSearchParamState()
  const filters = readCallFilters(LEDGER_FILTERS, list.get)
  const isFiltered = Object.keys(filters).length > 0
  const query = toLedgerQuery(filters, workspace?.id ?? '')
  const { read, rows, hasBodies, isEmpty, total, footer, onEndReached } = useLedgerRows(query, Boolean(workspace))
  const { data, error, isFetching, isFetchNextPageError, isPlaceholderData } = read
  const problem = workspaceProblem ?? (error && !isFetchNextPageError ? error.problem : null)
  const current = list.get('call')
  const linkTo = (call_id: string) => {
    const to = new URLSearchParams(address)
    for (const name of ['tab', 'frame', 'node', 'source']) to.delete(name)
    to.set('call', call_id)
    return `?${to.toString()}`
  }
  const clear = (
    <Button variant="default" onClick={() => list.set(emptyCallFilters)}>
      {t('clearFilters')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      titleSuffix={data && !isEmpty ? <span className={classes.count}>{total}</span> : null}
      actions={
        workspace ? (
          <>
            <Button
              variant="default"
              leftSection={<IconClockShield size={14} />}
              component={Link}
              to={paths.retention({ workspace: workspace.id })}
            >
              {t('retention')}
            </Button>
            <LedgerExportMenu query={query} />
          </>
        ) : null
      }
      toolbar={
        workspace ? (
          <>
            <LedgerFilters apps={workspace.keys} />
            <RefreshControl isBusy={isFetching} onRefresh={() => void read.refetch()}>
              {read.dataUpdatedAt > 0
                ? t.rich('refreshed', {
                    since: () => <RelativeTime at={new Date(read.dataUpdatedAt).toISOString()} />,
                  })
                : null}
            </RefreshControl>
          </>
        ) : undefined
      }
    >
      <title>{`${t('title')} · Loupe`}</title>
      <ListDetailLayout
        problem={problem}
        action={t(workspaceProblem ? 'listWorkspaces' : 'listWhat')}
        onRetry={() => (workspaceProblem ? retry() : void read.refetch())}
        clearFilters={clear}
        hasNoWorkspace={!workspace && !isLoading && !workspaceProblem}
        header={
          filters.q ? (
            <IdLookupNote text={filters.q} onFilter={(id) => list.set(toFilterParams({ q: null, resource: id }))} />
          ) : null
        }
        rows={
          data && !isEmpty && !problem ? (
            <LedgerTable
              // Another search begins at its top.
              key={JSON.stringify(query)}
              rows={rows}
              showsAllColumns={hasBodies}
              keys={workspace?.keys ?? []}
              workspace={workspace?.name ?? ''}
              current={current}
              linkTo={linkTo}
              onEndReached={onEndReached}
              footer={footer}
            />
          ) : null
        }
        isStale={isPlaceholderData}
        detail={<CallPane call_id={current ?? null} onClose={() => list.set({ call: null, tab: null, frame: null })} />}
      >
        {isEmpty && !isFiltered ? <EmptyState title={t('emptyTitle')}>{t('emptyText')}</EmptyState> : null}
        {isEmpty && isFiltered && !problem ? (
          <EmptyState title={t('noneTitle')} actions={clear}>
            {t('noneText')}
          </EmptyState>
        ) : null}
        {!data && !problem && (workspace || isLoading) ? <SkeletonRows rows={12} height={36} /> : null}
        {isFetchNextPageError ? (
          <ProblemAlert problem={error.problem} action={t('listWhat')} onRetry={() => void read.fetchNextPage()} />
        ) : null}
      </ListDetailLayout>
    </Page>
  )
}

/** The calls that are read so far, and what is said of how many there are. */
function useLedgerRows(query: ReturnType<typeof toLedgerQuery>, isEnabled: boolean) {
  const t = useMessages(ledgerMessages)
  const read = useCursorPages(
    contract.console.listCalls,
    { query: { ...query, limit: PAGE_SIZE_ROWS } },
    { enabled: isEnabled },
  )
  const { data, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError } = read
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const first = data?.pages[0]
  const hasBodies = data !== undefined && !hasNextPage
  const total =
    !first?.total_capped || hasBodies
      ? rows.length.toLocaleString('en')
      : t('moreThan', { count: Math.max(first.total ?? 0, rows.length).toLocaleString('en') })
  const footer =
    isFetchingNextPage || hasNextPage
      ? t(query.q ? 'searching' : 'fetching', { count: rows.length })
      : hasBodies
        ? t('allShown', { count: rows.length })
        : null
  return {
    read,
    rows,
    hasBodies,
    isEmpty: hasBodies && rows.length === 0,
    total,
    footer,
    onEndReached: () => {
      if (hasNextPage && !isFetching && !isFetchNextPageError) void read.fetchNextPage()
    },
  }
}

function LedgerFilters({ apps }: { apps: readonly Key[] }) {
  const t = useMessages(ledgerMessages)
  const list = useSearchParamState()
  const filters = readCallFilters(LEDGER_FILTERS, list.get)
  return (
    <>
      <SearchField
        label={t('search')}
        value={filters.q ?? ''}
        onSearch={(words) => list.set({ q: words })}
        hasShortcut
      />
      <CallFilters
        names={LEDGER_FILTERS}
        filters={filters}
        apps={apps}
        entries={LEDGER_OPERATIONS}
        onFilters={(change) => list.set(toFilterParams(change))}
      />
    </>
  )
}
