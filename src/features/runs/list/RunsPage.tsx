import { Button } from '@mantine/core'
import { IconDownload, IconFileImport } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { contract } from '#contract/index.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import { paths } from '#domain/paths.ts'
import { AdoptRun } from '../detail/AdoptRun.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { SearchField } from '../../../components/forms/SearchField.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RefreshControl } from '../../../components/data/RefreshControl.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { CursorPager } from '../../../components/data/CursorPager.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useRead } from '../../../client/query.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { CallFilters } from '../callFilters/CallFilters.tsx'
import { readCallFilters, emptyCallFilters } from '../callFilters/callFilterParams.ts'
import { type Translate, useMessages } from '../../../components/i18n/useMessages.ts'
import { toRunListQuery, RUN_FILTERS } from './runFilters.ts'
import { RUN_KINDS } from './runKinds.ts'
import { runListMessages } from './messages.ts'
import classes from './Runs.module.css'
import { RunsTable } from './RunsTable.tsx'
import { Can } from '../../../client/Can.tsx'
import { usePermission } from '../../../client/usePermission.ts'

/** Poll intervals (ms): active runs are polled more often. */
const IDLE_RUNS_POLL_INTERVAL_MS = 5_000
const ACTIVE_RUNS_POLL_INTERVAL_MS = 1_500
const DEFAULT_PAGE_SIZE_ROWS = 20

/** `/runs`: every run of the workspace, of every kind, newest first. */
export function RunsPage() {
  const t = useMessages(runListMessages)
  const { workspace, getKeys, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const list = useSearchParamState()
  const filters = readCallFilters(RUN_FILTERS, list.get)
  const isFiltered = Object.keys(filters).length > 0
  const id = workspace?.id ?? ''
  const { data, error, refetch, isFetching, dataUpdatedAt } = useRead(
    contract.console.listRuns,
    { query: toRunListQuery(filters, id, list.get('before'), list.get('limit')) },
    {
      enabled: Boolean(workspace),
      pollIntervalMs: (reply) =>
        reply?.data.some(({ status }) => isActiveStatus(status))
          ? ACTIVE_RUNS_POLL_INTERVAL_MS
          : IDLE_RUNS_POLL_INTERVAL_MS,
    },
  )
  const isEmpty = data?.total === 0 && data.next === null
  const canAdopt = usePermission()(contract.console.adoptRun)
  const isAdopting = canAdopt && list.get('adopt') !== undefined
  const workflows = getKeys('workflow')
  const all = useRead(
    contract.console.listRuns,
    { query: { workspace: id, limit: 1 } },
    { enabled: isEmpty && isFiltered },
  )
  const problem = workspaceProblem ?? error?.problem
  const clear = (
    <Button variant="default" onClick={() => list.set({ ...emptyCallFilters, limit: null })}>
      {t('clearFilters')}
    </Button>
  )
  return (
    <Page
      title={t('runs')}
      titleSuffix={data?.total ? <span className={classes.count}>{formatTotal(t, data)}</span> : null}
      actions={
        <>
          {canAdopt && workflows.length > 0 ? (
            <Button
              variant="default"
              leftSection={<IconDownload size={14} />}
              aria-expanded={isAdopting}
              onClick={() => list.set({ adopt: isAdopting ? null : 1 }, { replace: true })}
            >
              {t('loadRunById')}
            </Button>
          ) : null}
          <Button variant="default" leftSection={<IconFileImport size={14} />} component={Link} to={paths.openRun()}>
            {t('openFile')}
          </Button>
        </>
      }
      toolbar={
        workspace && !(isEmpty && !isFiltered) ? (
          <>
            <RunFilters apps={workspace.keys.filter(({ kind }) => kind !== 'knowledge')} />
            <RefreshControl isBusy={isFetching} onRefresh={() => void refetch()}>
              {dataUpdatedAt > 0
                ? t.rich('refreshed', {
                    since: () => <RelativeTime at={new Date(dataUpdatedAt).toISOString()} />,
                  })
                : null}
            </RefreshControl>
          </>
        ) : undefined
      }
    >
      <title>{`${t('runs')} · Loupe`}</title>
      {isAdopting && workspace ? (
        <div className={classes.adopt}>
          <AdoptRun apps={workflows} workspace={id} />
        </div>
      ) : null}
      {problem ? (
        <div className={classes.problem}>
          <ProblemAlert
            problem={problem}
            action={t(workspaceProblem ? 'listWorkspaces' : 'listWhat')}
            onRetry={() => (workspaceProblem ? retry() : void refetch())}
          >
            {problem.kind === 'invalid' ? clear : null}
          </ProblemAlert>
        </div>
      ) : null}
      {!workspace && !isLoading && !workspaceProblem ? (
        <EmptyState title={t('noWorkspace')}>{t('noWorkspaceText')}</EmptyState>
      ) : null}
      {isEmpty && !isFiltered ? <NoRuns workspace={id} /> : null}
      {isEmpty && isFiltered && !problem ? (
        <EmptyState title={t('noneTitle')} actions={clear}>
          {all.data?.total ? t('noneText', { count: formatTotal(t, all.data) }) : null}
        </EmptyState>
      ) : null}
      {(data && !isEmpty) || (!data && !problem && (workspace || isLoading)) ? (
        <RunsTable rows={data?.data} keys={workspace?.keys ?? []} />
      ) : null}
      {data && !isEmpty ? (
        <CursorPager
          total={data.total}
          isTotalCapped={data.total_capped}
          nextCursor={data.next}
          rows={data.data.length}
          limit={Number(list.get('limit') ?? DEFAULT_PAGE_SIZE_ROWS)}
          onPage={(before) => list.set({ before })}
          onLimit={(limit) => list.set({ limit })}
        />
      ) : null}
    </Page>
  )
}

function RunFilters({ apps }: { apps: readonly Key[] }) {
  const t = useMessages(runListMessages)
  const list = useSearchParamState()
  const filters = readCallFilters(RUN_FILTERS, list.get)
  return (
    <>
      <SearchField
        label={t('search')}
        value={filters.q ?? ''}
        onSearch={(words) => list.set({ q: words })}
        hasShortcut
      />
      <CallFilters
        names={RUN_FILTERS}
        entries={Object.entries(RUN_KINDS).map(([value, searchText]) => ({ value, label: t(searchText) }))}
        filters={filters}
        apps={apps}
        onFilters={list.set}
      />
    </>
  )
}

function NoRuns({ workspace }: { workspace: string }) {
  const t = useMessages(runListMessages)
  return (
    <EmptyState
      title={t('emptyTitle')}
      actions={
        <Can entry={contract.chat.send}>
          <Button component={Link} to={paths.chat({ workspace })}>
            {t('askOne')}
          </Button>
        </Can>
      }
    >
      {t('emptyText')}
    </EmptyState>
  )
}

interface ListTotal {
  total: number | null
  total_capped: boolean
}

function formatTotal(t: Translate<typeof runListMessages>, { total, total_capped: isTotalCapped }: ListTotal): string {
  const countedTotal = (total ?? 0).toLocaleString('en')
  return isTotalCapped ? t('moreThan', { count: countedTotal }) : countedTotal
}
