import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { type Suite, suiteEndpoints, SUITE_TARGETS, type SuiteTarget } from '#contract/console/suites.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { paths } from '#domain/paths.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { Can } from '../../client/Can.tsx'
import { useRead, useWrite } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { OptionalPager } from '../../components/data/Pager.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { Table, type TableColumn } from '../../components/data/Table.tsx'
import { SearchField } from '../../components/forms/SearchField.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { NoApp } from '../playground/inputsApp/NoApp.tsx'
import { suiteMessages } from './messages.ts'
import { formatMeasure } from './experiments/suiteFigures.ts'
import classes from './Suites.module.css'
import { Dialog } from '../../components/overlays/Dialog.tsx'
import fields from '../../components/forms/Fields.module.css'
import { useWhileMounted } from '../../components/hooks/useWhileMounted.ts'
import { SaveButtons } from './SaveButtons.tsx'

const PAGE_SIZE_ROWS = 20
const RUNNING_POLL_INTERVAL_MS = 1_500
const IDLE_POLL_INTERVAL_MS = 10_000

/** `/suites`: the suites of the workspace, newest first, each with its last experiment. */
export function SuitesPage() {
  const t = useMessages(suiteMessages)
  const currentWorkspace = useWorkspace()
  const { workspace } = currentWorkspace
  const { get, set } = useSearchParamState()
  const q = get('q') ?? ''
  const [isCreating, setCreating] = useState(false)
  const { data, error, refetch } = useRead(
    suiteEndpoints.listSuites,
    { query: { workspace: workspace?.id ?? '', q: q || undefined, page: get('page') ?? 1, limit: PAGE_SIZE_ROWS } },
    {
      enabled: workspace !== undefined,
      pollIntervalMs: (reply) =>
        reply?.data.some(({ last }) => last?.batch.state === 'running')
          ? RUNNING_POLL_INTERVAL_MS
          : IDLE_POLL_INTERVAL_MS,
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
  const isEmpty = data?.total === 0 && q === ''
  const newSuite =
    listApps(workspace).length === 0 ? undefined : (
      <Can entry={suiteEndpoints.createSuite}>
        <Button onClick={() => setCreating(true)}>{t('newSuite')}</Button>
      </Can>
    )
  return (
    <Page
      title={t('title')}
      titleSuffix={data && data.total > 0 ? <span className={classes.count}>{formatCount(data.total)}</span> : null}
      toolbar={
        isEmpty ? undefined : (
          <SearchField label={t('search')} value={q} onSearch={(text) => set({ q: text }, { replace: true })} />
        )
      }
      actions={isEmpty ? undefined : newSuite}
    >
      <title>{`${t('title')} · Loupe`}</title>
      {error ? (
        <div className={classes.alone}>
          <ProblemAlert problem={error.problem} action={t('listWhat')} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {isEmpty ? (
        <EmptyState
          title={t('emptyTitle')}
          actions={
            <>
              {newSuite}
              <Button variant="default" component={Link} to={paths.datasets({ workspace: workspace.id })}>
                {t('toDatasets')}
              </Button>
            </>
          }
        >
          {t('emptyText')}
        </EmptyState>
      ) : data?.data.length === 0 ? (
        <EmptyState
          title={t('noneMatch')}
          actions={
            <Button variant="default" onClick={() => set({ q: null })}>
              {t('clearSearch')}
            </Button>
          }
        />
      ) : error && !data ? null : (
        <SuiteTable rows={data?.data} />
      )}
      {data ? (
        <OptionalPager page={data.page} limit={PAGE_SIZE_ROWS} total={data.total} onPage={(page) => set({ page })} />
      ) : null}
      {isCreating ? <NewSuite workspace={workspace} onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}

function SuiteTable({ rows }: { rows: readonly Suite[] | undefined }) {
  const t = useMessages(suiteMessages)
  const columns: TableColumn<Suite>[] = [
    {
      header: t('name'),
      grows: true,
      cell: ({ id, name, workspace }) => (
        <Link to={paths.suite(id, { workspace })} dir="auto">
          {name}
        </Link>
      ),
    },
    { header: t('target'), cell: ({ target }) => t(`targets.${target}`) },
    { header: t('cases'), isNumeric: true, cell: ({ cases }) => formatCount(cases) },
    {
      header: t('lastRun'),
      cell: ({ last }) => (last ? <StatusBadge {...getBatchStatus(last.batch)} isPlain /> : t('notRun')),
    },
    {
      header: t('passed'),
      isNumeric: true,
      cell: ({ last }) => (last ? t('passedOf', { pass: last.outcomes.pass, all: last.batch.total }) : t('dash')),
    },
    { header: t('mrr'), isNumeric: true, cell: ({ last }) => (last ? formatMeasure(last.metrics.mrr) : t('dash')) },
    { header: t('updated'), isNumeric: true, cell: ({ updated_at }) => <RelativeTime at={updated_at} /> },
  ]
  return <Table label={t('title')} columns={columns} rows={rows} getKey={({ id }) => id} />
}

/** A suite of an app. That of a dataset begins in its retrieval test. */
function NewSuite({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const t = useMessages(suiteMessages)
  const navigate = useNavigate()
  const whileMounted = useWhileMounted()
  const apps = listApps(workspace)
  const [about, setAbout] = useState(apps[0]?.id ?? '')
  const [name, setName] = useState('')
  const create = useWrite(suiteEndpoints.createSuite, {
    onDone: whileMounted(({ id }) => void navigate(paths.suite(id, { workspace: workspace.id }))),
  })
  const app = apps.find(({ id }) => id === about)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (app) create.mutate({ body: { workspace: workspace.id, name: name.trim(), target: app.kind, about } })
  }
  return (
    <Dialog onClose={onClose} title={t('newSuite')}>
      <form onSubmit={submit} className={fields.form}>
        <NativeSelect
          label={t('app')}
          description={t('newSuiteHelp')}
          value={about}
          data={apps.map(({ id, label, kind }) => ({
            value: id,
            label: t('appOfKind', { label, kind: t(`targets.${kind}`) }),
          }))}
          onChange={(event) => setAbout(event.currentTarget.value)}
        />
        <TextInput
          label={t('name')}
          value={name}
          maxLength={120}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {create.error ? <ProblemAlert problem={create.error.problem} action={t('createWhat')} isInForm /> : null}
        <SaveButtons
          entry={suiteEndpoints.createSuite}
          label={t('createSuite')}
          isPending={create.isPending}
          isDisabled={!app || name.trim() === ''}
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}

/** The keys of a workspace that a suite may be about. */
const listApps = ({ keys }: Workspace) =>
  keys.flatMap(({ id, label, kind }) => {
    const target = SUITE_TARGETS.find((one): one is Exclude<SuiteTarget, 'retrieval'> => one === kind)
    return target ? [{ id, label, kind: target }] : []
  })
