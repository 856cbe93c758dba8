import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type Suite, suiteEndpoints, SUITE_TARGETS, type SuiteTarget } from '#contract/console/suites.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { paths } from '#domain/paths.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { Can } from '../../client/Can.tsx'
import { useRead, useWrite } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import type { TableColumn } from '../../components/data/Table.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ResourceListPage } from '../../components/layout/ResourceListPage.tsx'
import { NoApp } from '../playground/inputsApp/NoApp.tsx'
import { suiteMessages } from './messages.ts'
import { formatMeasure } from './experiments/suiteFigures.ts'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { useContractForm } from '../../components/forms/useContractForm.ts'

const PAGE_SIZE_ROWS = 20
const RUNNING_POLL_INTERVAL_MS = 1_500
const IDLE_POLL_INTERVAL_MS = 10_000

/** `/suites`: the suites of the workspace, newest first, each with its last experiment. */
export function SuitesPage() {
  const t = useMessages(suiteMessages)
  const columns = useSuiteColumns()
  const currentWorkspace = useWorkspace()
  const { workspace } = currentWorkspace
  const { get, set } = useSearchParamState()
  const q = get('q') ?? ''
  const [isCreating, setCreating] = useState(false)
  const read = useRead(
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
  const newSuite =
    listApps(workspace).length === 0 ? undefined : (
      <Can entry={suiteEndpoints.createSuite}>
        <Button onClick={() => setCreating(true)}>{t('newSuite')}</Button>
      </Can>
    )
  return (
    <ResourceListPage<Suite>
      title={t('title')}
      read={read}
      rows={read.data?.data}
      page={read.data}
      action={t('listWhat')}
      actions={newSuite}
      search={{ label: t('search'), param: 'q' }}
      isFiltered={q !== ''}
      columns={columns}
      getKey={({ id }) => id}
      empty={
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
      }
      noMatch={
        <EmptyState
          title={t('noneMatch')}
          actions={
            <Button variant="default" onClick={() => set({ q: null })}>
              {t('clearSearch')}
            </Button>
          }
        />
      }
    >
      {isCreating ? <NewSuite workspace={workspace} onClose={() => setCreating(false)} /> : null}
    </ResourceListPage>
  )
}

function useSuiteColumns(): TableColumn<Suite>[] {
  const t = useMessages(suiteMessages)
  return [
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
}

/** A suite of an app. That of a dataset begins in its retrieval test. */
function NewSuite({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const t = useMessages(suiteMessages)
  const navigate = useNavigate()
  const apps = listApps(workspace)
  const create = useWrite(suiteEndpoints.createSuite)
  const form = useContractForm({
    schema: suiteEndpoints.createSuite.body,
    initialValues: { about: apps[0]?.id ?? '', name: '' },
    toBody: ({ about, name }) => ({
      workspace: workspace.id,
      name: name.trim(),
      target: apps.find(({ id }) => id === about)?.kind,
      about,
    }),
    send: (body) => create.mutateAsync({ body }),
    onDone: ({ id }) => void navigate(paths.suite(id, { workspace: workspace.id })),
  })
  return (
    <FormDialog
      form={form}
      title={t('newSuite')}
      submitLabel={t('createSuite')}
      action={t('createWhat')}
      onClose={onClose}
    >
      <NativeSelect
        {...form.field('about')}
        label={t('app')}
        description={t('newSuiteHelp')}
        data={apps.map(({ id, label, kind }) => ({
          value: id,
          label: t('appOfKind', { label, kind: t(`targets.${kind}`) }),
        }))}
      />
      <TextInput {...form.field('name')} label={t('name')} maxLength={120} autoComplete="off" data-autofocus />
    </FormDialog>
  )
}

/** The keys of a workspace that a suite may be about. */
const listApps = ({ keys }: Workspace) =>
  keys.flatMap(({ id, label, kind }) => {
    const target = SUITE_TARGETS.find((one): one is Exclude<SuiteTarget, 'retrieval'> => one === kind)
    return target ? [{ id, label, kind: target }] : []
  })
