import { Button, NativeSelect, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import {
  type DriftRow,
  type DriftSeverity,
  type UNSEEN_PART_KINDS,
  type DRIFT_KINDS,
  driftEndpoints,
  type UnseenPart,
} from '#contract/console/drift.ts'
import { ListDetailLayout } from '../../components/layout/ListDetailLayout.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Pager } from '../../components/data/Pager.tsx'
import { RefreshControl } from '../../components/data/RefreshControl.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { CopyReport, useDriftReport } from './CopyReport.tsx'
import { DriftPane } from './DriftPane.tsx'
import { driftMessages } from './messages.ts'
import { ObservedTable } from './ObservedTable.tsx'
import { ReleaseDifferences } from './ReleaseDifferences.tsx'
import { type TableColumn, Table } from '../../components/data/Table.tsx'
import {
  UNOBSERVED_KIND_MESSAGES,
  getDriftLocation,
  listUnobservedKinds,
  listObservedKinds,
  listSeverities,
} from './driftKinds.ts'
import { platformEntries } from '#contract/platformEntries.ts'

const PAGE_SIZE_ROWS = 50

/** `/drift`: what a workspace's platform sent that the contract does not know, and what of the contract it never sent. */
export function DriftPage() {
  const t = useMessages(driftMessages)
  const { workspace, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const { search: address } = useLocation()
  const list = useSearchParamState()
  const isUnobserved = list.get('view') === 'never'
  const operation = list.get('operation')
  const kind = list.get('kind')
  const severity = list.get('severity')
  const isFiltered = Boolean(operation ?? kind ?? severity)
  const query = {
    workspace: workspace?.id ?? '',
    ...(operation ? { operation } : {}),
    page: Number(list.get('page') ?? 1),
    limit: Number(list.get('limit') ?? PAGE_SIZE_ROWS),
  }
  const observedRead = useRead(
    driftEndpoints.listDrift,
    {
      query: {
        ...query,
        ...(kind ? { kind: kind as (typeof DRIFT_KINDS)[number] } : {}),
        ...(severity ? { severity: severity as DriftSeverity } : {}),
      },
    },
    { enabled: Boolean(workspace) && !isUnobserved },
  )
  const unobservedRead = useRead(
    driftEndpoints.listUnseenParts,
    { query: { ...query, ...(kind ? { kind: kind as (typeof UNSEEN_PART_KINDS)[number] } : {}) } },
    { enabled: Boolean(workspace) && isUnobserved },
  )
  const report = useDriftReport(workspace)
  const read = isUnobserved ? unobservedRead : observedRead
  const { data, error } = read
  const problem = workspaceProblem ?? error?.problem ?? null
  const isEmpty = data?.total === 0
  const current = list.get('drift')
  const clear = (
    <Button variant="default" onClick={() => list.set({ operation: null, kind: null, severity: null })}>
      {t('clearFilters')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      titleSuffix={isEmpty ? null : <TitleCount count={data?.total} />}
      actions={data && !isEmpty ? <CopyReport {...report(data.data)} /> : null}
      toolbar={
        workspace ? (
          <>
            <DriftFilters isUnobserved={isUnobserved} />
            <RefreshControl isBusy={read.isFetching} onRefresh={() => void read.refetch()}>
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
          data && !problem ? (
            isUnobserved ? (
              <UnobservedNote since={unobservedRead.data?.since} />
            ) : isEmpty ? null : (
              <ObservedNote full={observedRead.data?.truncated_operations ?? []} />
            )
          ) : null
        }
        rows={
          isEmpty || problem || (!workspace && !isLoading) ? null : isUnobserved ? (
            <UnobservedTable rows={unobservedRead.data?.data} />
          ) : (
            <ObservedTable rows={observedRead.data?.data} current={current} linkTo={(id) => toDriftLink(address, id)} />
          )
        }
        isStale={read.isPlaceholderData}
        detail={
          <DriftPane
            isOpen={current !== undefined && !isUnobserved && Boolean(observedRead.data)}
            row={observedRead.data?.data.find(({ id }) => id === current)}
            report={(row: DriftRow) => report([row])}
            onClose={() => list.set({ drift: null })}
          />
        }
      >
        {isEmpty && isFiltered && !problem ? <EmptyState title={t('noneTitle')} actions={clear} /> : null}
        {isEmpty && !isFiltered && !problem ? (
          <NoDrift isUnobserved={isUnobserved} workspace={workspace?.name ?? ''} />
        ) : null}
        {workspace && data && !problem && !isUnobserved ? (
          <ReleaseDifferences version={workspace.dialect.version} />
        ) : null}
        {data && !isEmpty && !problem ? (
          <Pager
            page={data.page}
            limit={data.limit}
            total={data.total}
            onPage={(page) => list.set({ page })}
            onLimit={(limit) => list.set({ limit })}
          />
        ) : null}
      </ListDetailLayout>
    </Page>
  )
}

function toDriftLink(search: string, id: string): string {
  const to = new URLSearchParams(search)
  to.set('drift', id)
  return `?${to.toString()}`
}

function NoDrift({ isUnobserved, workspace }: { isUnobserved: boolean; workspace: string }) {
  const t = useMessages(driftMessages)
  return isUnobserved ? (
    <EmptyState title={t('allSeen')}>{t('allSeenText')}</EmptyState>
  ) : (
    <EmptyState title={t('emptyTitle')}>{t('emptyText', { workspace })}</EmptyState>
  )
}

function ObservedNote({ full: truncatedOperations }: { full: readonly string[] }) {
  const t = useMessages(driftMessages)
  return (
    <ListNote>
      {t('seenNote')}{' '}
      {truncatedOperations.length > 0 ? t('truncatedOperations', { operations: truncatedOperations.join(', ') }) : null}
    </ListNote>
  )
}

function UnobservedNote({ since }: { since: string | null | undefined }) {
  const t = useMessages(driftMessages)
  return (
    <ListNote>{since ? t.rich('neverNote', { since: () => <RelativeTime at={since} /> }) : t('noResponses')}</ListNote>
  )
}

const TitleCount = ({ count }: { count: number | undefined }) => (
  <Text span c="var(--text-3)" fz="sm">
    {count?.toLocaleString('en')}
  </Text>
)

/** Above a list. */
const ListNote = ({ children }: { children: ReactNode }) => (
  <Text px="lg" py="sm" bg="var(--canvas)" c="dimmed" fz="sm" style={{ borderBottom: '1px solid var(--line)' }}>
    {children}
  </Text>
)

/** Parts of the contract that were never observed, in contract order. */
function UnobservedTable({ rows }: { rows: readonly UnseenPart[] | undefined }) {
  const t = useMessages(driftMessages)
  const columns: TableColumn<UnseenPart>[] = [
    { header: t('difference'), isMono: true, grows: true, cell: (row) => getDriftLocation(t, row) },
    { header: t('kind'), cell: ({ kind }) => t(UNOBSERVED_KIND_MESSAGES[kind]) },
    { header: t('operation'), isMono: true, cell: ({ operation }) => operation },
    { header: t('since'), cell: ({ since }) => (since === null ? t('inInterface') : since) },
  ]
  return (
    <Table
      label={t('never')}
      columns={columns}
      rows={rows}
      getKey={({ operation, kind, event, path, value }) => [operation, kind, event, path, value].join('\n')}
    />
  )
}

const DRIFT_OPERATIONS = [...platformEntries.keys()]

/** What the report is of: parts that were seen or never seen, an operation, a kind of part. */
function DriftFilters({ isUnobserved }: { isUnobserved: boolean }) {
  const t = useMessages(driftMessages)
  const list = useSearchParamState()
  return (
    <>
      <NativeSelect
        aria-label={t('view')}
        value={isUnobserved ? 'never' : 'seen'}
        onChange={(event) =>
          list.set({
            view: event.currentTarget.value === 'never' ? 'never' : null,
            kind: null,
            severity: null,
            drift: null,
          })
        }
        data={[
          { value: 'seen', label: t('seen') },
          { value: 'never', label: t('never') },
        ]}
      />
      <NativeSelect
        aria-label={t('operation')}
        value={list.get('operation') ?? ''}
        onChange={(event) => list.set({ operation: event.currentTarget.value })}
        data={[{ value: '', label: t('anyOperation') }, ...DRIFT_OPERATIONS]}
      />
      {isUnobserved ? null : (
        <NativeSelect
          aria-label={t('severity')}
          value={list.get('severity') ?? ''}
          onChange={(event) => list.set({ severity: event.currentTarget.value })}
          data={[{ value: '', label: t('anySeverity') }, ...listSeverities(t)]}
        />
      )}
      <NativeSelect
        aria-label={t('kind')}
        value={list.get('kind') ?? ''}
        onChange={(event) => list.set({ kind: event.currentTarget.value })}
        data={[{ value: '', label: t('anyKind') }, ...(isUnobserved ? listUnobservedKinds(t) : listObservedKinds(t))]}
      />
    </>
  )
}
