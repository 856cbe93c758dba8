import { Box, Button, Flex, NativeSelect, SegmentedControl, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './AppHistory.module.css'
import { appHistoryMessages } from './messages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import type { InputsEntryName } from '../../runs/runEntries.ts'
import { Link, useNavigate } from 'react-router'
import { RUN_STATUSES, type RunStatus } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { runInsightEndpoints, type FailureGroup } from '#contract/console/runInsights.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { CursorPager } from '../../../components/data/CursorPager.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { AdoptRun } from '../../runs/detail/AdoptRun.tsx'
import { Can } from '../../../client/Can.tsx'
import type { EndpointReply } from '#contract/endpoint.ts'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import { paths } from '#domain/paths.ts'
import { Pager } from '../../../components/data/Pager.tsx'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { SearchField } from '../../../components/forms/SearchField.tsx'

/** The history of an app: its stored runs, its failures, and the platform's own log if available. */
export function AppHistory(props: AppHistoryProps) {
  const { entry, app } = props
  const t = useMessages(appHistoryMessages)
  const { get, set } = useSearchParamState()
  const isWorkflow = entry === 'workflows.run'
  const parts = ['runs', 'failures', ...(app.offers.includes('workflowLogs') ? ['log'] : [])] as const
  const part = isWorkflow ? (parts.find((one) => one === get('of')) ?? 'runs') : 'runs'
  return (
    <Flex direction="column" flex={1} mih={0}>
      {isWorkflow ? (
        <SegmentedControl
          flex="none"
          mt={4}
          mx="lg"
          size="xs"
          aria-label={t('historySections')}
          value={part}
          onChange={(of) => set({ of: of === 'runs' ? null : of, status: null }, { replace: true })}
          data={parts.map((value) => ({ value, label: t(value as 'runs' | 'failures' | 'log') }))}
        />
      ) : null}
      {part === 'runs' ? <AppRuns {...props} /> : null}
      {part === 'failures' ? <FailureGroups {...props} /> : null}
      {part === 'log' ? <PlatformLog {...props} /> : null}
    </Flex>
  )
}

/** Props of each view of an app's history. */
export interface AppHistoryProps {
  entry: InputsEntryName
  workspace: string
  app: Key
  /** The run whose output is shown. */
  selected: string | null
  /** The URL that shows a run of the list. */
  getLink: (run_id: string) => string
}

const PAGE_SIZE = 20
const RUNS_POLL_INTERVAL_MS = 4_000
const RUN_FILTER_NAMES = ['q', 'status', 'from', 'person'] as const

/** The stored runs of the app, newest first, of all people. */
function AppRuns({ entry, workspace, app, selected, getLink }: AppHistoryProps) {
  const t = useMessages(appHistoryMessages)
  const { get, set } = useSearchParamState()
  const filters = Object.fromEntries(RUN_FILTER_NAMES.flatMap((name) => (get(name) ? [[name, get(name)]] : [])))
  const isFiltered = Object.keys(filters).length > 0
  const query = { workspace, key: app.id, entry, before: get('before'), limit: PAGE_SIZE, ...filters }
  const read = useRead(
    runEndpoints.listRuns,
    { query: query as typeof query & { status?: RunStatus } },
    { pollIntervalMs: RUNS_POLL_INTERVAL_MS },
  )
  const clear = (
    <Button variant="default" onClick={() => set(Object.fromEntries(RUN_FILTER_NAMES.map((name) => [name, null])))}>
      {t('clearFilters')}
    </Button>
  )
  return (
    <>
      <HistoryFilters states={RUN_STATUSES} search={t('search')} byPerson />
      <ReadBoundary
        read={read}
        action={t('listWhat')}
        isInset
        problemActions={read.error?.problem.kind === 'invalid' ? clear : null}
        loading={<SkeletonRows rows={8} height={44} />}
        isEmpty={({ total, next }) => total === 0 && next === null}
        empty={
          <EmptyState title={t(isFiltered ? 'noneTitle' : 'noRuns')} actions={isFiltered ? clear : undefined}>
            {isFiltered ? null : t('noRunsText')}
          </EmptyState>
        }
      >
        {({ data: runs, total, total_capped, next }) => (
          <>
            <ul className={classes.list} aria-label={t('history')}>
              {runs.map((run) => (
                <li key={run.id} data-current={run.id === selected || undefined}>
                  <Link to={getLink(run.id)} aria-current={run.id === selected || undefined} dir="auto">
                    {run.title || t('untitled')}
                  </Link>
                  <Flex component="span" align="center" gap="sm" c="dimmed" fz="sm">
                    {run.status === 'succeeded' ? null : <StatusBadge status={run.status} isPlain />}
                    {run.person ? <span>{t('byPerson', { person: run.person })}</span> : null}
                    <span className={classes.when}>
                      <RelativeTime at={run.created_at} />
                    </span>
                  </Flex>
                </li>
              ))}
            </ul>
            {next !== null || total === null ? (
              <CursorPager
                total={total}
                isTotalCapped={total_capped}
                nextCursor={next}
                rows={runs.length}
                onPage={(before) => set({ before })}
              />
            ) : null}
          </>
        )}
      </ReadBoundary>
      {entry === 'workflows.run' ? (
        <Can entry={runInsightEndpoints.adoptRun}>
          <Box
            component="details"
            flex="none"
            mt="auto"
            px="lg"
            py="sm"
            fz={13}
            style={{ borderTop: '1px solid var(--line)' }}
          >
            <Text component="summary" inherit c="dimmed">
              {t('loadRunById')}
            </Text>
            <Box pt="sm">
              <AdoptRun apps={[app]} workspace={workspace} />
            </Box>
          </Box>
        </Can>
      ) : null}
    </>
  )
}

/** The newest failed runs of an app, grouped by node and message, the most frequent first. */
function FailureGroups({ app, selected, getLink }: AppHistoryProps) {
  const t = useMessages(appHistoryMessages)
  const { get } = useSearchParamState()
  const query = { key: app.id, from: get('from') }
  const read = useRead(runInsightEndpoints.listFailures, { query })
  return (
    <>
      <HistoryFilters states={[]} search={null} byPerson={false} />
      <ReadBoundary
        read={read}
        action={t('failuresWhat')}
        isInset
        loading={<SkeletonRows rows={6} height={64} />}
        isEmpty={({ total }) => total === 0}
        empty={<EmptyState title={t('noFailures')}>{t('noFailuresText')}</EmptyState>}
      >
        {({ data: failures, looked_at }) => (
          <>
            <HistoryNote>{t('failuresExamined', { count: looked_at })}</HistoryNote>
            <ul className={classes.groups} aria-label={t('failures')}>
              {failures.map((failure) => (
                <FailureGroupItem
                  key={JSON.stringify([failure.node_id, failure.error])}
                  failure={failure}
                  selected={selected}
                  getLink={getLink}
                />
              ))}
            </ul>
          </>
        )}
      </ReadBoundary>
    </>
  )
}

function FailureGroupItem({
  failure,
  selected,
  getLink,
}: { failure: FailureGroup } & Pick<AppHistoryProps, 'selected' | 'getLink'>) {
  const t = useMessages(appHistoryMessages)
  const { node_id, node_type, title, error, count, last_at, runs } = failure
  return (
    <li>
      <details>
        <summary>
          <Flex component="span" align="center" gap="xs">
            <StatusBadge status="failed" isBare />
            <b dir="auto">{title ?? node_id ?? t('noNode')}</b>
            {node_type ? (
              <Box component="span" c="var(--text-3)" fz="sm">
                {node_type}
              </Box>
            ) : null}
            <Box component="span" flex="none" ms="auto" c="dimmed">
              {t('times', { count })}
            </Box>
          </Flex>
          <Text span lineClamp={3} ff="monospace" fz="sm" dir="auto">
            {error || t('noWords')}
          </Text>
          <Flex component="span" align="center" gap="sm" c="dimmed" fz="sm">
            {t.rich('lastAt', { since: () => <RelativeTime key="since" at={last_at} /> })}
          </Flex>
        </summary>
        <ul>
          {runs.map((run) => (
            <li key={run.id}>
              <Link to={getLink(run.id)} aria-current={run.id === selected || undefined} dir="auto">
                {run.title || t('untitled')}
              </Link>
              <RelativeTime at={run.created_at} />
            </li>
          ))}
          {count > runs.length ? <li>{t('moreRuns', { count: count - runs.length })}</li> : null}
        </ul>
      </details>
    </li>
  )
}

/** The states that the platform's log can filter by. */
const LOG_STATUSES = ['succeeded', 'failed', 'stopped'] as const

type LogEntry = EndpointReply<typeof optionalAppEndpoints.workflowLogs>['data'][number]

/**
 * The platform's own log of an app, if available: it includes runs that this console never saw, which can be opened.
 */
function PlatformLog({ workspace, app }: AppHistoryProps) {
  const t = useMessages(appHistoryMessages)
  const { get, set } = useSearchParamState()
  const query = {
    keyword: get('q'),
    status: LOG_STATUSES.find((one) => one === get('status')),
    created_at__after: get('from'),
    page: Number(get('page') ?? 1) || 1,
    limit: PAGE_SIZE,
  }
  const read = useRead(optionalAppEndpoints.workflowLogs, { key: app.id, query })
  return (
    <>
      <HistoryFilters states={LOG_STATUSES} search={t('searchLog')} byPerson={false} />
      <ReadBoundary
        read={read}
        action={t('logWhat')}
        isInset
        loading={<SkeletonRows rows={8} height={44} />}
        isEmpty={({ data }) => data.length === 0}
        empty={<EmptyState title={t('noLog')}>{t('noLogText')}</EmptyState>}
      >
        {({ data: entries, total }) => (
          <>
            <HistoryNote>{t('logNote')}</HistoryNote>
            <ul className={classes.list} aria-label={t('log')}>
              {entries.map((logged) => (
                <LogEntryItem key={logged.id} logged={logged} app={app.id} workspace={workspace} />
              ))}
            </ul>
            {(total ?? 0) > PAGE_SIZE ? (
              <Pager page={query.page} limit={PAGE_SIZE} total={total ?? 0} onPage={(page) => set({ page })} />
            ) : null}
          </>
        )}
      </ReadBoundary>
    </>
  )
}

function LogEntryItem({ logged: entry, app, workspace }: { logged: LogEntry; app: string; workspace: string }) {
  const t = useMessages(appHistoryMessages)
  const navigate = useNavigate()
  const write = useWrite(runInsightEndpoints.adoptRun)
  const { workflow_run: run, created_by_end_user: by, created_at } = entry
  const user = (by as { session_id?: unknown } | null | undefined)?.session_id
  const id = run?.id
  return (
    <li>
      <Flex component="span" align="center" gap="xs">
        {run?.status ? <StatusBadge status={run.status} isPlain /> : null}
        <code>{(id ?? entry.id).slice(0, 8)}</code>
        {typeof user === 'string' ? <span dir="auto">{t('asUser', { user })}</span> : null}
        <Can entry={runInsightEndpoints.adoptRun}>
          <Button
            ms="auto"
            variant="subtle"
            size="compact-xs"
            loading={write.isPending}
            disabled={!id}
            onClick={() =>
              id &&
              write.mutate(
                { body: { key: app, workflow_run_id: id } },
                { onSuccess: (kept) => void navigate(paths.run(kept.id, { workspace })) },
              )
            }
          >
            {t('open')}
          </Button>
        </Can>
      </Flex>
      <Flex component="span" align="center" gap="sm" c="dimmed" fz="sm">
        {run?.elapsed_time == null ? null : (
          <span>{t('secondsShort', { seconds: formatSeconds(run.elapsed_time * 1000) })}</span>
        )}
        {run?.total_tokens == null ? null : <span>{t('tokens', { tokens: formatCount(run.total_tokens) })}</span>}
        <span className={classes.when}>
          <RelativeTime at={created_at} />
        </span>
      </Flex>
      {run?.error ? (
        <Text span lineClamp={3} ff="monospace" fz="sm" dir="auto">
          {run.error}
        </Text>
      ) : null}
      {write.error ? <ProblemAlert problem={write.error.problem} action={t('loadThisRun')} /> : null}
    </li>
  )
}

interface HistoryFiltersProps {
  /** The selectable states; empty without a state filter. */
  states: readonly string[]
  /** The label of the text search; null without one. */
  search: string | null
  byPerson: boolean
}

function HistoryNote({ children }: { children: string }) {
  return (
    <Box component="p" flex="none" px="lg" pt="sm" c="dimmed" fz="sm">
      {children}
    </Box>
  )
}

const HOUR_MS = 3_600_000
const TIME_SPANS_MS = { lastHour: HOUR_MS, lastDay: 24 * HOUR_MS, lastWeek: 7 * 24 * HOUR_MS }

/** The filters of an app's history. Each is a query parameter with the name from `GET /api/runs`. */
function HistoryFilters({ states, search, byPerson }: HistoryFiltersProps) {
  const t = useMessages(appHistoryMessages)
  const { get, set } = useSearchParamState()
  const person = get('person') ?? ''
  return (
    <SimpleGrid
      minColWidth="140px"
      autoFlow="auto-fit"
      spacing="xs"
      px="lg"
      py="sm"
      style={{ flex: 'none', borderBottom: '1px solid var(--line)' }}
    >
      {search === null ? null : (
        <SearchField label={search} value={get('q') ?? ''} onSearch={(words) => set({ q: words }, { replace: true })} />
      )}
      {states.length > 0 ? (
        <NativeSelect
          aria-label={t('state')}
          value={get('status') ?? ''}
          onChange={(event) => set({ status: event.currentTarget.value })}
          data={[{ value: '', label: t('anyState') }, ...states]}
        />
      ) : null}
      <NativeSelect
        aria-label={t('started')}
        value={get('from') ? 'chosenTime' : ''}
        onChange={(event) => {
          const span = TIME_SPANS_MS[event.currentTarget.value as keyof typeof TIME_SPANS_MS] as number | undefined
          set({ from: span ? new Date(Date.now() - span).toISOString() : null })
        }}
        data={[
          { value: '', label: t('anyTime') },
          ...Object.keys(TIME_SPANS_MS).map((value) => ({ value, label: t(value as keyof typeof TIME_SPANS_MS) })),
          ...(get('from') ? [{ value: 'chosenTime', label: t('chosenTime') }] : []),
        ]}
      />
      {byPerson ? (
        <TextInput
          key={person}
          aria-label={t('startedBy')}
          placeholder={t('startedBy')}
          defaultValue={person}
          maxLength={255}
          onBlur={({ currentTarget }) => {
            if (currentTarget.value.trim() !== person) set({ person: currentTarget.value.trim() })
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
          }}
        />
      ) : null}
    </SimpleGrid>
  )
}
