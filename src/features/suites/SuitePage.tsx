import { useState, type FormEvent } from 'react'
import { ActionIcon, Button, Menu, TextInput } from '@mantine/core'
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
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { CompareExperiments } from './comparison/CompareExperiments.tsx'
import { ExperimentList } from './experiments/ExperimentList.tsx'
import { ExperimentResults } from './experiments/ExperimentResults.tsx'
import { RunExperiment } from './experiments/RunExperiment.tsx'
import { useExperimentStart } from '../knowledge/retrieval/useExperimentStart.ts'
import { suiteFileMessages } from './suiteFileMessages.ts'
import { suiteMessages } from './messages.ts'
import { SuiteCases } from './cases/SuiteCases.tsx'
import { formatMeasure } from './experiments/suiteFigures.ts'
import classes from './Suites.module.css'
import { SweepView } from './sweep/SweepView.tsx'
import { useExperimentDefaults } from './useExperimentDefaults.ts'
import { Dialog } from '../../components/overlays/Dialog.tsx'
import fields from '../../components/forms/Fields.module.css'
import { useIsChanged } from '../../components/hooks/useIsChanged.ts'
import { DeleteDialog } from '../../components/overlays/DeleteDialog.tsx'
import { SideDrawer } from '../../components/overlays/SideDrawer.tsx'
import { areComplete, ChecksField } from '../runs/testCase/ChecksField.tsx'
import { SaveButtons } from './SaveButtons.tsx'
import { call } from '../../client/http.ts'
import { openFileSink } from '../../components/hooks/fileSink.ts'

const RUNNING_POLL_INTERVAL_MS = 1_000
const IDLE_POLL_INTERVAL_MS = 10_000
const DRY_RUN_ROWS = 3

/** `/suites/:suite_id`: the cases of a suite with their last ten results, its experiments, the results of one, two compared, or settings tried. */
export function SuitePage() {
  const t = useMessages(suiteMessages)
  const { suite_id = '' } = useParams()
  const { get, set } = useSearchParamState()
  const {
    data: suite,
    error,
    refetch,
  } = useRead(
    suiteEndpoints.readSuite,
    { params: { suite_id } },
    {
      pollIntervalMs: (reply) =>
        reply?.last?.batch.state === 'running' ? RUNNING_POLL_INTERVAL_MS : IDLE_POLL_INTERVAL_MS,
    },
  )
  const breadcrumbs = (
    <>
      <Link to={paths.suites({ workspace: suite?.workspace })}>{t('title')}</Link>
      <span>/</span>
    </>
  )
  if (!suite)
    return (
      <Page title={t('title')} breadcrumbs={error ? breadcrumbs : undefined}>
        <div className={classes.alone}>
          {error?.problem.status === 404 || error?.problem.status === 400 ? (
            <EmptyState title={t('suiteNotFound')}>
              <Link to={paths.suites()}>{t('toSuites')}</Link>
            </EmptyState>
          ) : error ? (
            <ProblemAlert problem={error.problem} action={t('readWhat')} onRetry={() => void refetch()} />
          ) : (
            <SkeletonRows rows={8} height={34} />
          )}
        </div>
      </Page>
    )
  const experiment = get('experiment')
  const isRetrieval = suite.target === 'retrieval'
  const view =
    get('view') === 'compare'
      ? 'compare'
      : isRetrieval && get('view') === 'sweep'
        ? 'sweep'
        : experiment || get('view') === 'experiments'
          ? 'experiments'
          : 'cases'
  const chip = (name: typeof view) => (
    <FilterChip
      isPressed={view === name}
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
  )
  return (
    <Page
      title={suite.name}
      breadcrumbs={breadcrumbs}
      titleSuffix={
        <span className={classes.count}>
          {t(`targets.${suite.target}`)}, {t('caseCount', { n: suite.cases })}
        </span>
      }
      actions={
        <SuiteActions
          suite={suite}
          onStarted={(id) => set({ experiment: id, view: 'experiments', outcome: null, with: null, change: null })}
        />
      }
      totals={suite.last ? <LastFigures suite={suite} last={suite.last} /> : undefined}
      toolbar={
        <div className={classes.chips} role="group" aria-label={t('views')}>
          {chip('cases')}
          {chip('experiments')}
          {chip('compare')}
          {isRetrieval ? chip('sweep') : null}
        </div>
      }
    >
      <title>{`${suite.name} · Loupe`}</title>
      {error ? <ProblemAlert problem={error.problem} action={t('readWhat')} onRetry={() => void refetch()} /> : null}
      {view === 'cases' ? (
        <SuiteCases suite={suite} />
      ) : view === 'compare' ? (
        <CompareExperiments suite={suite} />
      ) : view === 'sweep' ? (
        <SweepView key={suite.id} suite={suite} />
      ) : experiment ? (
        <ExperimentResults key={experiment} suite={suite} experiment_id={experiment} />
      ) : (
        <ExperimentList suite={suite} />
      )}
    </Page>
  )
}

function LastFigures({ suite, last }: { suite: Suite; last: NonNullable<Suite['last']> }) {
  const t = useMessages(suiteMessages)
  const { outcomes, metrics, batch } = last
  return (
    <div className={classes.totals}>
      <span className={classes.last}>
        <Link to={paths.suite(suite.id, { workspace: suite.workspace, experiment: last.id })}>{t('lastRun')}</Link>{' '}
        <StatusBadge {...getBatchStatus(batch)} isPlain />
      </span>
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
    </div>
  )
}

function SuiteActions({ suite, onStarted }: { suite: Suite; onStarted: (id: string) => void }) {
  const t = useMessages(suiteMessages)
  const [open, setOpen] = useState<'run' | 'rename' | 'checks' | 'delete' | null>(null)
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
            <Menu.Item disabled={suite.last?.batch.state === 'running'} onClick={() => setOpen('delete')}>
              {t('deleteSuite')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Can>
      {open === 'run' ? <RunExperiment suite={suite} onStarted={onStarted} onClose={() => setOpen(null)} /> : null}
      {open === 'rename' ? <RenameSuite suite={suite} onClose={() => setOpen(null)} /> : null}
      {open === 'checks' ? <SuiteChecks suite={suite} onClose={() => setOpen(null)} /> : null}
      {open === 'delete' ? <DeleteSuite suite={suite} onClose={() => setOpen(null)} /> : null}
      {file.problem ? (
        <div className={classes.problem}>
          <ProblemAlert problem={file.problem} action={tFile('saveFileWhat')} />
        </div>
      ) : null}
      {create.error ? (
        <div className={classes.problem}>
          <ProblemAlert problem={create.error.problem} action={t('runWhat')} />
        </div>
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
  const [name, setName] = useState(suite.name)
  const update = useWrite(suiteEndpoints.updateSuite, { onDone: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate({ params: { suite_id: suite.id }, body: { name: name.trim() } })
  }
  return (
    <Dialog onClose={onClose} title={t('renameSuite')}>
      <form onSubmit={submit} className={fields.form}>
        <TextInput
          label={t('name')}
          value={name}
          maxLength={120}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {update.error ? <ProblemAlert problem={update.error.problem} action={t('renameWhat')} isInForm /> : null}
        <SaveButtons
          entry={suiteEndpoints.updateSuite}
          isPending={update.isPending}
          isDisabled={name.trim() === ''}
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}

/** The checks of every case, in addition to those of the case itself. */
function SuiteChecks({ suite, onClose }: SuiteDialogProps) {
  const t = useMessages(suiteMessages)
  const [checks, setChecks] = useState(suite.checks)
  const isDirty = useIsChanged(checks)
  const [wasSubmitted, setSubmitted] = useState(false)
  const update = useWrite(suiteEndpoints.updateSuite, { onDone: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (areComplete(checks)) update.mutate({ params: { suite_id: suite.id }, body: { checks } })
  }
  return (
    <SideDrawer title={t('checksOfSuite')} onClose={onClose} isDirty={isDirty}>
      <form onSubmit={submit} className={fields.form} noValidate>
        <ChecksField
          workspace={suite.workspace}
          target={suite.target}
          checks={checks}
          onChange={setChecks}
          showsErrors={wasSubmitted}
        />
        {update.error ? <ProblemAlert problem={update.error.problem} action={t('saveChecksWhat')} isInForm /> : null}
        <SaveButtons entry={suiteEndpoints.updateSuite} isPending={update.isPending} onClose={onClose} />
      </form>
    </SideDrawer>
  )
}

function DeleteSuite({ suite, onClose }: SuiteDialogProps) {
  const t = useMessages(suiteMessages)
  const navigate = useNavigate()
  const remove = useWrite(suiteEndpoints.deleteSuite, {
    onDone: () => void navigate(paths.suites({ workspace: suite.workspace })),
  })
  return (
    <DeleteDialog
      title={t('deleteTitle', { name: suite.name })}
      lost={[t('caseCount', { n: suite.cases }), t('deleteLostExperiments')]}
      kept={[t('deleteKept')]}
      confirmLabel={t('deleteSuite')}
      cancelLabel={t('keepSuite')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      action={t('deleteWhat')}
      onDelete={() => remove.mutate({ params: { suite_id: suite.id } })}
      onClose={onClose}
    />
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
