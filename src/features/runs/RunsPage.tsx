import { Button } from '@mantine/core'
import { IconDownload, IconFileImport } from '@tabler/icons-react'
import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { isLive } from '#contract/runs.ts'
import { paths } from '../../paths.ts'
import { AdoptRun } from '../../run/AdoptRun.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { Since } from '../../ui/Since.tsx'
import { Slices } from '../../ui/Slices.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { CallFilters } from '../../run/filters/CallFilters.tsx'
import { filtersOf, noFilters } from '../../run/filters/filters.ts'
import { useWords } from '../../ui/words.ts'
import { queryOf, RUN_FILTERS } from './filters.ts'
import { KINDS } from './kinds.ts'
import { runsWords } from './messages.ts'
import classes from './Runs.module.css'
import { RunsTable } from './RunsTable.tsx'
import { useMay } from '../../wire/useMay.ts'

/** Milliseconds between looks: what goes on is looked at more often. */
const POLL = 5_000
const POLL_LIVE = 1_500
const LIMIT = 20

/** `/runs`: every run of the workspace, of every kind, newest first. */
export function RunsPage() {
  const t = useWords(runsWords)
  const { workspace, keysOf, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const list = useListState()
  const filters = filtersOf(RUN_FILTERS, list.get)
  const isFiltered = Object.keys(filters).length > 0
  const id = workspace?.id ?? ''
  const { data, error, refetch, isFetching, dataUpdatedAt } = useRead(
    contract.console.listRuns,
    { query: queryOf(filters, id, list.get('before'), list.get('limit')) },
    {
      enabled: Boolean(workspace),
      poll: (reply) => (reply?.data.some(({ status }) => isLive(status)) ? POLL_LIVE : POLL),
    },
  )
  const isNone = data?.total === 0 && data.next === null
  const mayAdopt = useMay()(contract.console.adoptRun)
  const isAdopting = mayAdopt && list.get('adopt') !== undefined
  const workflows = keysOf('workflow')
  const all = useRead(
    contract.console.listRuns,
    { query: { workspace: id, limit: 1 } },
    { enabled: isNone && isFiltered },
  )
  const problem = workspaceProblem ?? error?.problem
  const clear = (
    <Button variant="default" onClick={() => list.set({ ...noFilters, limit: null })}>
      {t('clear')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      beside={data?.total ? <span className={classes.count}>{countOf(data)}</span> : null}
      actions={
        <>
          {mayAdopt && workflows.length > 0 ? (
            <Button
              variant="default"
              leftSection={<IconDownload size={14} />}
              aria-expanded={isAdopting}
              onClick={() => list.set({ adopt: isAdopting ? null : 1 }, { replace: true })}
            >
              {t('adopt')}
            </Button>
          ) : null}
          <Button variant="default" leftSection={<IconFileImport size={14} />} component={Link} to={paths.openRun()}>
            {t('openFile')}
          </Button>
        </>
      }
      toolbar={
        workspace && !(isNone && !isFiltered) ? (
          <>
            <SearchField
              label={t('search')}
              value={filters.q ?? ''}
              onSearch={(words) => list.set({ q: words })}
              hotkey
            />
            <CallFilters
              names={RUN_FILTERS}
              kinds={Object.entries(KINDS).map(([value, word]) => ({ value, label: t(word) }))}
              filters={filters}
              apps={workspace.keys.filter(({ kind }) => kind !== 'knowledge')}
              onFilters={list.set}
            />
            <Refreshed busy={isFetching} onRefresh={() => void refetch()}>
              {dataUpdatedAt > 0
                ? t.rich('refreshed', { since: () => <Since at={new Date(dataUpdatedAt).toISOString()} ago /> })
                : null}
            </Refreshed>
          </>
        ) : undefined
      }
    >
      <title>{`${t('title')} · Loupe`}</title>
      {isAdopting && workspace ? (
        <div className={classes.adopt}>
          <AdoptRun apps={workflows} workspace={id} />
        </div>
      ) : null}
      {problem ? (
        <div className={classes.problem}>
          <ProblemNote
            problem={problem}
            what={t(workspaceProblem ? 'listWorkspaces' : 'listWhat')}
            onRetry={() => (workspaceProblem ? retry() : void refetch())}
          >
            {problem.kind === 'invalid' ? clear : null}
          </ProblemNote>
        </div>
      ) : null}
      {!workspace && !isLoading && !workspaceProblem ? (
        <Empty title={t('noWorkspace')}>{t('noWorkspaceText')}</Empty>
      ) : null}
      {isNone && !isFiltered ? (
        <Empty
          title={t('emptyTitle')}
          actions={
            <Button component={Link} to={paths.chat({ workspace: id })}>
              {t('askOne')}
            </Button>
          }
        >
          {t('emptyText')}
        </Empty>
      ) : null}
      {isNone && isFiltered && !problem ? (
        <Empty title={t('noneTitle')} actions={clear}>
          {all.data?.total ? t('noneText', { count: countOf(all.data) }) : null}
        </Empty>
      ) : null}
      {(data && !isNone) || (!data && !problem && (workspace || isLoading)) ? (
        <RunsTable rows={data?.data} keys={workspace?.keys ?? []} />
      ) : null}
      {data && !isNone ? (
        <Slices
          {...data}
          rows={data.data.length}
          limit={Number(list.get('limit') ?? LIMIT)}
          onPage={(before) => list.set({ before })}
          onLimit={(limit) => list.set({ limit })}
        />
      ) : null}
    </Page>
  )

  function countOf({ total, beyond }: { total: number | null; beyond: boolean }): string {
    const counted = (total ?? 0).toLocaleString('en')
    return beyond ? t('moreThan', { count: counted }) : counted
  }
}
