import { Button, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { CallSort } from '#contract/console/callQuery.ts'
import { CALL_GROUPS } from '#contract/console/calls.ts'
import { RUN_ORIGINS } from '#contract/console/runs.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { ColumnMenu } from '../../../components/data/ColumnMenu.tsx'
import { CursorPager } from '../../../components/data/CursorPager.tsx'
import { RefreshControl } from '../../../components/data/RefreshControl.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { SearchField } from '../../../components/forms/SearchField.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { type Translate, useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ListDetailLayout } from '../../../components/layout/ListDetailLayout.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { CallFilters } from '../callFilters/CallFilters.tsx'
import {
  CALL_FILTER_NAMES,
  emptyCallFilters,
  readCallFilters,
  toFilterParams,
} from '../callFilters/callFilterParams.ts'
import { CallGroups, CallTotals, GROUP_LABELS, ListHint } from './CallGroups.tsx'
import { type CallListPreset, LISTED_OPERATIONS, readCallGroup, readCallOrder, toViewSearch } from './callListParams.ts'
import { type CallListRow, RUN_KINDS } from './callListRow.ts'
import classes from './CallList.module.css'
import { CallTable, type CallTableProps, useCallColumns, useListColumns } from './CallTable.tsx'
import { callListMessages } from './messages.ts'
import { ORIGIN_LABELS } from './RunMarks.tsx'
import { SavedViews } from './SavedViews.tsx'
import { SelectionBar, useCallSelection } from './SelectionBar.tsx'
import { type CallListPage, useCallList, useCallStats } from './useCallList.ts'

export interface CallListViewProps {
  preset: CallListPreset
  actions: ReactNode
  /** Above the list. */
  header?: ReactNode
  linkTo: (row: CallListRow) => string
  /** The call that is open next to the list. */
  current?: string | undefined
  detail?: ReactNode
  /** Without a call in the workspace. */
  emptyState: ReactNode
}

/**
 * One list of calls with two defaults: `/runs` shows the runs, `/ledger` every recorded call. Filters, order, grouping and
 * columns are in the URL and can be saved as a view.
 */
export function CallListView({ preset, actions, header, linkTo, current, detail, emptyState }: CallListViewProps) {
  const t = useMessages(callListMessages)
  const { workspace, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const list = useSearchParamState()
  const filters = readCallFilters(CALL_FILTER_NAMES, list.get)
  const order = readCallOrder(list.get)
  const group = readCallGroup(list.get)
  const selection = useCallSelection(workspace?.id)
  const { read, problem: listProblem, isEmpty, all } = useCallList(preset, { workspace: workspace?.id, filters, order })
  const stats = useCallStats(preset, { workspace: workspace?.id, filters, group })
  const problem = workspaceProblem ?? listProblem
  const sortBy = (sort: CallSort) =>
    list.set({ sort, order: order.sort === sort && order.order === 'desc' ? 'asc' : null })
  const columns = useListColumns(
    preset,
    useCallColumns({ keys: workspace?.keys ?? [], linkTo, words: filters.q, order, onSort: sortBy }),
  )
  const clear = (
    <Button variant="default" onClick={() => list.set({ ...emptyCallFilters, limit: null })}>
      {t('clearFilters')}
    </Button>
  )
  const isFiltered = Object.keys(filters).length > 0
  const isUnused = isEmpty && !isFiltered
  const title = t(preset === 'runs' ? 'runs' : 'ledger')
  return (
    <Page
      title={title}
      titleSuffix={
        read.data?.total ? (
          <Text span size="sm" c="var(--text-3)">
            {formatTotal(t, read.data)}
          </Text>
        ) : null
      }
      actions={actions}
      toolbar={
        workspace && !isUnused ? (
          <ListToolbar preset={preset} workspace={workspace.id}>
            <ColumnMenu columns={columns} />
            <RefreshControl
              isBusy={read.isFetching}
              onRefresh={() => {
                void read.refetch()
                void stats.refetch()
              }}
            >
              {read.dataUpdatedAt > 0
                ? t.rich('refreshed', {
                    since: () => <RelativeTime at={new Date(read.dataUpdatedAt).toISOString()} />,
                  })
                : null}
            </RefreshControl>
          </ListToolbar>
        ) : undefined
      }
      totals={stats.data && !isEmpty && !problem ? <CallTotals stats={stats.data} /> : undefined}
    >
      <title>{`${title} · Loupe`}</title>
      <ListDetailLayout
        problem={problem}
        action={t(workspaceProblem ? 'listWorkspaces' : 'listWhat')}
        onRetry={() => (workspaceProblem ? retry() : void read.refetch())}
        clearFilters={clear}
        hasNoWorkspace={!workspace && !isLoading && !workspaceProblem}
        header={
          <>
            {header}
            {workspace ? <SelectionBar selection={selection} workspace={workspace.id} /> : null}
            {stats.error && !problem ? (
              <ProblemAlert
                problem={stats.error.problem}
                action={t('totalsWhat')}
                onRetry={() => void stats.refetch()}
              />
            ) : null}
          </>
        }
        isStale={read.isPlaceholderData}
        detail={detail}
        rows={
          problem || isEmpty || (!workspace && !isLoading) ? null : group ? (
            <div className={classes.table}>
              <CallGroups by={group} stats={stats.data} keys={workspace?.keys ?? []} linkTo={toGroupPath} />
            </div>
          ) : (
            <CallRows
              label={title}
              columns={columns.visible}
              page={read.data}
              selection={selection}
              current={current}
            />
          )
        }
      >
        {isUnused ? emptyState : null}
        {isEmpty && isFiltered && !problem ? (
          <EmptyState title={t(preset === 'runs' ? 'noneTitle' : 'noneTitleCalls')} actions={clear}>
            {preset === 'calls'
              ? t('noneTextCalls')
              : all?.total
                ? t('noneText', { count: formatTotal(t, all) })
                : null}
          </EmptyState>
        ) : null}
      </ListDetailLayout>
    </Page>
  )

  /** The list of a group has the filters of the page too. */
  function toGroupPath(groupFilters: Record<string, string>): string {
    const search = new URLSearchParams(toViewSearch(list.get))
    search.delete('group')
    if (workspace) search.set('workspace', workspace.id)
    for (const [name, value] of Object.entries(groupFilters)) search.set(name, value)
    return `?${search.toString()}`
  }
}

const DEFAULT_PAGE_SIZE_ROWS = 20

function formatTotal(
  t: Translate<typeof callListMessages>,
  { total, total_capped: isCapped }: Pick<CallListPage, 'total' | 'total_capped'>,
): string {
  const count = (total ?? 0).toLocaleString('en')
  return isCapped ? t('moreThan', { count }) : count
}

interface CallRowsProps extends Omit<CallTableProps, 'rows'> {
  /** Undefined until it has loaded. */
  page: CallListPage | undefined
}

/** One page of calls with its pager, and among how many they were sorted. */
function CallRows({ page, ...table }: CallRowsProps) {
  const t = useMessages(callListMessages)
  const list = useSearchParamState()
  return (
    <>
      {page?.sorted_among ? (
        <ListHint>{t('sortedAmong', { count: page.sorted_among.toLocaleString('en') })}</ListHint>
      ) : null}
      <CallTable {...table} rows={page?.data} />
      {page ? (
        <CursorPager
          total={page.total}
          isTotalCapped={page.total_capped}
          nextCursor={page.next}
          rows={page.data.length}
          limit={Number(list.get('limit') ?? DEFAULT_PAGE_SIZE_ROWS)}
          onPage={(before) => list.set({ before })}
          onLimit={(limit) => list.set({ limit })}
        />
      ) : null}
    </>
  )
}

/** The search, the filters, the grouping and the views, followed by `children`. */
function ListToolbar({
  preset,
  workspace,
  children,
}: {
  preset: CallListPreset
  workspace: string
  children: ReactNode
}) {
  const t = useMessages(callListMessages)
  const list = useSearchParamState()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { workspace: current } = useWorkspace()
  const filters = readCallFilters(CALL_FILTER_NAMES, list.get)
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('shown')}
        value={preset}
        onChange={(next) => void navigate((next === 'runs' ? '/runs' : '/ledger') + search)}
        data={[
          { value: 'runs', label: t('runs') },
          { value: 'calls', label: t('allCalls') },
        ]}
      />
      <SearchField
        label={t(preset === 'runs' ? 'search' : 'searchWithIds')}
        value={filters.q ?? ''}
        onSearch={(words) => list.set({ q: words })}
        hasShortcut
      />
      <CallFilters
        names={CALL_FILTER_NAMES}
        filters={filters}
        apps={current?.keys.filter(({ kind }) => preset === 'calls' || kind !== 'knowledge') ?? []}
        entries={listEntries()}
        origins={RUN_ORIGINS.map((value) => ({ value, label: t(ORIGIN_LABELS[value]) }))}
        onFilters={(change) => list.set(toFilterParams(change))}
      />
      <NativeSelect
        aria-label={t('groupBy')}
        value={readCallGroup(list.get) ?? ''}
        onChange={(event) => list.set({ group: event.currentTarget.value })}
        data={[
          { value: '', label: t('noGroup') },
          ...CALL_GROUPS.map((value) => ({ value, label: `${t('groupBy')}: ${t(GROUP_LABELS[value])}` })),
        ]}
      />
      <SavedViews workspace={workspace} path={pathname} search={toViewSearch(list.get)} />
      {children}
    </>
  )

  function listEntries(): { value: string; label: string }[] {
    const kinds = Object.entries(RUN_KINDS).map(([value, kind]) => ({ value, label: t(`${kind}Run`) }))
    const others = LISTED_OPERATIONS.filter((name) => !(name in RUN_KINDS))
    return preset === 'runs' ? kinds : [...kinds, ...others.map((name) => ({ value: name, label: name }))]
  }
}
