import { useState } from 'react'
import { ActionIcon, Box, Button, Flex, Group, Menu, Text, TextInput } from '@mantine/core'
import { IconDots, IconPlayerPlay } from '@tabler/icons-react'
import { Link, useParams, useNavigate } from 'react-router'
import { type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { paths } from '#domain/paths.ts'
import { suiteFileEndpoints } from '#contract/console/suiteFiles.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { Can } from '../../client/Can.tsx'
import { useRead, useWrite } from '../../client/query.ts'
import { Metric } from '../../components/data/Metric.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { FilterChip } from '../../components/forms/FilterChip.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { CompareExperiments } from './comparison/CompareExperiments.tsx'
import { ExperimentList } from './experiments/ExperimentList.tsx'
import { ExperimentResults } from './experiments/ExperimentResults.tsx'
import { DRY_RUN_ROWS, RunExperiment } from './experiments/RunExperiment.tsx'
import { useExperimentStart } from '../knowledge/retrieval/useExperimentStart.ts'
import { suiteFileMessages } from './suiteFileMessages.ts'
import { suiteMessages } from './messages.ts'
import { SuiteCases } from './cases/SuiteCases.tsx'
import { formatMeasure } from './experiments/suiteFigures.ts'
import { SweepView } from './sweep/SweepView.tsx'
import { useExperimentDefaults } from './useExperimentDefaults.ts'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { FormDrawer } from '../../components/forms/FormDrawer.tsx'
import { useContractForm } from '../../components/forms/useContractForm.ts'
import { useDeleteDialog } from '../../components/overlays/useDeleteDialog.ts'
import { ChecksField } from '../runs/testCase/ChecksField.tsx'
import { call } from '../../client/http.ts'
import { openFileSink } from '../../components/hooks/fileSink.ts'

const RUNNING_POLL_INTERVAL_MS = 1_000
const IDLE_POLL_INTERVAL_MS = 10_000

/** `/suites/:suite_id`: the cases of a suite with their last ten results, its experiments, the results of one, two compared, or settings tried. */
export function SuitePage() {
  const t = useMessages(suiteMessages)
  const { suite_id = '' } = useParams()
  const { set } = useSearchParamState()
  const read = useRead(
    suiteEndpoints.readSuite,
    { params: { suite_id } },
    {
      pollIntervalMs: (reply) =>
        reply?.last?.batch.state === 'running' ? RUNNING_POLL_INTERVAL_MS : IDLE_POLL_INTERVAL_MS,
    },
  )
  const suite = read.data
  return (
    <Page
      title={suite?.name ?? t('title')}
      breadcrumbs={
        suite || read.error ? (
          <>
            <Link to={paths.suites({ workspace: suite?.workspace })}>{t('title')}</Link>
            <span>/</span>
          </>
        ) : undefined
      }
      titleSuffix={
        suite ? (
          <Text span fz="sm" c="dimmed">
            {t(`targets.${suite.target}`)}, {t('caseCount', { n: suite.cases })}
          </Text>
        ) : undefined
      }
      actions={
        suite ? (
          <SuiteActions
            suite={suite}
            onStarted={(id) => set({ experiment: id, view: 'experiments', outcome: null, with: null, change: null })}
          />
        ) : undefined
      }
      totals={suite?.last ? <LastFigures suite={suite} last={suite.last} /> : undefined}
      toolbar={suite ? <ViewChips suite={suite} /> : undefined}
    >
      <ReadBoundary
        read={read}
        action={t('readWhat')}
        loading={
          <Box p="lg">
            <SkeletonRows height={34} />
          </Box>
        }
        isInset
        notFound={
          <EmptyState title={t('suiteNotFound')}>
            <Link to={paths.suites()}>{t('toSuites')}</Link>
          </EmptyState>
        }
      >
        {(shown) => (
          <>
            <title>{`${shown.name} · Loupe`}</title>
            <SuiteView suite={shown} />
          </>
        )}
      </ReadBoundary>
    </Page>
  )
}

type ViewName = 'cases' | 'experiments' | 'compare' | 'sweep'

/** The view that the URL names. */
function useViewName({ target }: Suite): ViewName {
  const { get } = useSearchParamState()
  const view = get('view')
  if (view === 'compare') return 'compare'
  if (view === 'sweep' && target === 'retrieval') return 'sweep'
  return view === 'experiments' || get('experiment') ? 'experiments' : 'cases'
}

function ViewChips({ suite }: { suite: Suite }) {
  const t = useMessages(suiteMessages)
  const { set } = useSearchParamState()
  const current = useViewName(suite)
  const names: ViewName[] = [
    'cases',
    'experiments',
    'compare',
    ...(suite.target === 'retrieval' ? (['sweep'] as const) : []),
  ]
  return (
    <Group gap="sm" fz="sm" role="group" aria-label={t('views')}>
      {names.map((name) => (
        <FilterChip
          key={name}
          isPressed={current === name}
          onClick={() =>
            set({
              view: name === 'cases' ? null : name,
              experiment: null,
              outcome: null,
              with: null,
              change: null,
              case: null,
            })
          }
        >
          {t(name === 'compare' ? 'compare' : `${name}View`)}
        </FilterChip>
      ))}
    </Group>
  )
}

function SuiteView({ suite }: { suite: Suite }) {
  const { get } = useSearchParamState()
  const experiment = get('experiment')
  switch (useViewName(suite)) {
    case 'cases':
      return <SuiteCases suite={suite} />
    case 'compare':
      return <CompareExperiments suite={suite} />
    case 'sweep':
      return <SweepView key={suite.id} suite={suite} />
    case 'experiments':
      return experiment ? (
        <ExperimentResults key={experiment} suite={suite} experiment_id={experiment} />
      ) : (
        <ExperimentList suite={suite} />
      )
  }
}

function LastFigures({ suite, last }: { suite: Suite; last: NonNullable<Suite['last']> }) {
  const t = useMessages(suiteMessages)
  const { outcomes, metrics, batch } = last
  return (
    <Flex wrap="wrap" align="center" rowGap="sm" columnGap="xl" px="lg" py="sm">
      <Group gap="xs" fz="sm">
        <Link to={paths.suite(suite.id, { workspace: suite.workspace, experiment: last.id })}>{t('lastRun')}</Link>{' '}
        <StatusBadge {...getBatchStatus(batch)} isPlain />
      </Group>
      <Metric label={t('passed')} value={t('passedOf', { pass: outcomes.pass, all: batch.total })} />
      {suite.target === 'retrieval' ? (
        <>
          <Metric label={t('hit')} value={formatMeasure(metrics.hit)} />
          <Metric label={t('mrr')} value={formatMeasure(metrics.mrr)} />
          <Metric label={t('ndcg')} value={formatMeasure(metrics.ndcg)} />
          <Metric label={t('recall')} value={formatMeasure(metrics.recall)} />
        </>
      ) : (
        <>
          <Metric label={t('failedCount')} value={String(outcomes.fail)} />
          <Metric label={t('errorCount')} value={String(outcomes.error)} />
        </>
      )}
    </Flex>
  )
}

function SuiteActions({ suite, onStarted }: { suite: Suite; onStarted: (id: string) => void }) {
  const t = useMessages(suiteMessages)
  const [open, setOpen] = useState<'run' | 'rename' | 'checks' | null>(null)
  const navigate = useNavigate()
  const remove = useWrite(suiteEndpoints.deleteSuite, {
    onDone: () => void navigate(paths.suites({ workspace: suite.workspace })),
  })
  const openDelete = useDeleteDialog()
  const askDelete = () =>
    openDelete({
      title: t('deleteTitle', { name: suite.name }),
      lost: [t('caseCount', { n: suite.cases }), t('deleteLostExperiments')],
      kept: [t('deleteKept')],
      confirmLabel: t('deleteSuite'),
      cancelLabel: t('keepSuite'),
      action: t('deleteWhat'),
      run: () => remove.mutateAsync({ params: { suite_id: suite.id } }),
    })
  const create = useExperimentStart(suite, { onDone: ({ id }) => onStarted(id) })
  const { body, canRun } = useExperimentDefaults(suite)
  const tFile = useMessages(suiteFileMessages)
  const file = useSuiteFile(suite)
  const start = (only?: number) => create.start({ ...body, ...(only ? { only } : {}) })
  const isBlocked = suite.cases === 0 || suite.last?.batch.state === 'running' || !canRun
  return (
    <>
      {suite.target === 'retrieval' ? (
        <Button variant="default" component={Link} to={paths.retrieval(suite.about, { workspace: suite.workspace })}>
          {t('retrievalTest')}
        </Button>
      ) : null}
      <Can entry={suiteEndpoints.createExperiment}>
        <Button
          leftSection={<IconPlayerPlay size={14} />}
          loading={create.isPending}
          disabled={isBlocked}
          onClick={() => start()}
        >
          {t('runSuite')}
        </Button>
      </Can>
      <Can entry={suiteEndpoints.updateSuite}>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={t('moreActions')} title={t('moreActions')}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={isBlocked} onClick={() => start(DRY_RUN_ROWS)}>
              {t('dryRun')}
            </Menu.Item>
            <Menu.Item disabled={isBlocked} onClick={() => setOpen('run')}>
              {t('runWith')}
            </Menu.Item>
            <Menu.Item onClick={() => setOpen('checks')}>{t('checksOfSuite')}</Menu.Item>
            <Menu.Item onClick={() => setOpen('rename')}>{t('renameSuite')}</Menu.Item>
            <Menu.Item onClick={() => void file.save()}>{tFile('saveSuiteFile')}</Menu.Item>
            <Menu.Item disabled={suite.last?.batch.state === 'running'} onClick={askDelete}>
              {t('deleteSuite')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Can>
      {open === 'run' ? <RunExperiment suite={suite} onStarted={onStarted} onClose={() => setOpen(null)} /> : null}
      {open === 'rename' ? <RenameSuite suite={suite} onClose={() => setOpen(null)} /> : null}
      {open === 'checks' ? <SuiteChecks suite={suite} onClose={() => setOpen(null)} /> : null}
      {file.problem ? (
        <Box flex="1 0 100%">
          <ProblemAlert problem={file.problem} action={tFile('saveFileWhat')} />
        </Box>
      ) : null}
      {create.error ? (
        <Box flex="1 0 100%">
          <ProblemAlert problem={create.error.problem} action={t('runWhat')} />
        </Box>
      ) : null}
    </>
  )
}

interface SuiteDialogProps {
  suite: Suite
  onClose: () => void
}

function RenameSuite({ suite, onClose }: SuiteDialogProps) {
  const t = useMessages(suiteMessages)
  const update = useWrite(suiteEndpoints.updateSuite)
  const form = useContractForm({
    schema: suiteEndpoints.updateSuite.body,
    initialValues: { name: suite.name },
    toBody: ({ name }) => ({ name: name.trim() }),
    send: (body) => update.mutateAsync({ params: { suite_id: suite.id }, body }),
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title={t('renameSuite')} submitLabel={t('save')} action={t('renameWhat')} onClose={onClose}>
      <TextInput {...form.field('name')} label={t('name')} maxLength={120} data-autofocus />
    </FormDialog>
  )
}

/** The checks of every case, in addition to those of the case itself. */
function SuiteChecks({ suite, onClose }: SuiteDialogProps) {
  const t = useMessages(suiteMessages)
  const update = useWrite(suiteEndpoints.updateSuite)
  const form = useContractForm({
    schema: suiteEndpoints.updateSuite.body,
    initialValues: { checks: suite.checks },
    send: (body) => update.mutateAsync({ params: { suite_id: suite.id }, body }),
    onDone: onClose,
  })
  const checks = form.controlled('checks')
  return (
    <FormDrawer
      form={form}
      title={t('checksOfSuite')}
      submitLabel={t('save')}
      action={t('saveChecksWhat')}
      onClose={onClose}
    >
      <ChecksField
        workspace={suite.workspace}
        target={suite.target}
        checks={checks.value}
        onChange={checks.onChange}
        showsErrors={form.form.formState.isSubmitted}
      />
    </FormDrawer>
  )
}

/** Saves a suite as the file that `loupe pull` writes. */
function useSuiteFile(suite: Suite) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const save = async (): Promise<void> => {
    setProblem(null)
    const sink = await openFileSink(`${suite.name}.suite.yaml`, 'application/yaml').catch(() => null)
    if (!sink) return
    try {
      const { text } = await call(suiteFileEndpoints.readSuiteFile, { params: { suite_id: suite.id } })
      await sink.write(text)
      await sink.close()
    } catch (error) {
      await sink.abort().catch(() => undefined)
      setProblem(error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) })
    }
  }
  return { save, problem }
}
