import { Button } from '@mantine/core'
import { IconClockShield } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { CallFilters } from '../../run/filters/CallFilters.tsx'
import { filtersOf, noFilters } from '../../run/filters/filters.ts'
import { Desk } from '../../ui/Desk.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { Since } from '../../ui/Since.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { usePages } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { CallPane } from './CallPane.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { LEDGER_FILTERS, OPERATIONS, queryOf } from './filters.ts'
import { IdNote } from './IdNote.tsx'
import classes from './Ledger.module.css'
import { LedgerTable } from './LedgerTable.tsx'
import { ledgerWords } from './messages.ts'

/** The most that the server gives at once. */
const PAGE = 100

/** `/ledger`: every call that changed something or made the platform generate, and what an id in the search field is. */
export function LedgerPage() {
  const t = useWords(ledgerWords)
  const { workspace, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const { search: address } = useLocation()
  const list = useListState()
  const filters = filtersOf(LEDGER_FILTERS, list.get)
  const isFiltered = Object.keys(filters).length > 0
  const query = queryOf(filters, workspace?.id ?? '')
  const read = usePages(
    contract.console.listCalls,
    { query: { ...query, limit: PAGE } },
    { enabled: Boolean(workspace) },
  )
  const { data, error, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, isPlaceholderData } = read
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const first = data?.pages[0]
  const isWhole = data !== undefined && !hasNextPage
  const problem = workspaceProblem ?? (error && !isFetchNextPageError ? error.problem : null)
  const isNone = isWhole && rows.length === 0
  const current = list.get('call')
  const more = () => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void read.fetchNextPage()
  }
  const linkTo = (call_id: string) => {
    const to = new URLSearchParams(address)
    for (const name of ['tab', 'frame', 'node', 'source']) to.delete(name)
    to.set('call', call_id)
    return `?${to.toString()}`
  }
  const clear = (
    <Button variant="default" onClick={() => list.set(noFilters)}>
      {t('clear')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      beside={first && !isNone ? <span className={classes.count}>{countOf(first)}</span> : null}
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
            <ExportMenu query={query} />
          </>
        ) : null
      }
      toolbar={
        workspace ? (
          <>
            <SearchField
              label={t('search')}
              value={filters.q ?? ''}
              onSearch={(words) => list.set({ q: words })}
              hotkey
            />
            <CallFilters
              names={LEDGER_FILTERS}
              filters={filters}
              apps={workspace.keys}
              kinds={OPERATIONS}
              onFilters={list.set}
            />
            <Refreshed busy={isFetching} onRefresh={() => void read.refetch()}>
              {read.dataUpdatedAt > 0
                ? t.rich('refreshed', { since: () => <Since at={new Date(read.dataUpdatedAt).toISOString()} ago /> })
                : null}
            </Refreshed>
          </>
        ) : undefined
      }
    >
      <title>{`${t('title')} · Loupe`}</title>
      <Desk
        problem={problem}
        what={t(workspaceProblem ? 'listWorkspaces' : 'listWhat')}
        onRetry={() => (workspaceProblem ? retry() : void read.refetch())}
        clear={clear}
        isHomeless={!workspace && !isLoading && !workspaceProblem}
        above={filters.q ? <IdNote text={filters.q} onFilter={(id) => list.set({ q: null, thing: id })} /> : null}
        rows={
          data && !isNone && !problem ? (
            <LedgerTable
              // Another search begins at its top.
              key={JSON.stringify(query)}
              rows={rows}
              isWhole={isWhole}
              keys={workspace?.keys ?? []}
              workspace={workspace?.name ?? ''}
              current={current}
              linkTo={linkTo}
              onEnd={more}
              foot={footOf()}
            />
          ) : null
        }
        isOld={isPlaceholderData}
        pane={<CallPane call_id={current ?? null} onClose={() => list.set({ call: null, tab: null, frame: null })} />}
      >
        {isNone && !isFiltered ? <Empty title={t('emptyTitle')}>{t('emptyText')}</Empty> : null}
        {isNone && isFiltered && !problem ? (
          <Empty title={t('noneTitle')} actions={clear}>
            {t('noneText')}
          </Empty>
        ) : null}
        {!data && !problem && (workspace || isLoading) ? <SkeletonRows rows={12} height={36} /> : null}
        {isFetchNextPageError ? (
          <ProblemNote problem={error.problem} what={t('listWhat')} onRetry={() => void read.fetchNextPage()} />
        ) : null}
      </Desk>
    </Page>
  )

  function countOf({ total, beyond }: { total: number | null; beyond: boolean }): string {
    const counted = (total ?? 0).toLocaleString('en')
    if (!beyond || isWhole) return rows.length.toLocaleString('en')
    return t('moreThan', { count: Math.max(total ?? 0, rows.length).toLocaleString('en') || counted })
  }

  function footOf(): string | null {
    if (isFetchingNextPage || hasNextPage) return t(filters.q ? 'searching' : 'fetching', { count: rows.length })
    return isWhole ? t('allShown', { count: rows.length }) : null
  }
}
