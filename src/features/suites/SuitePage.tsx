import { useState } from 'react'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPlayerPlay } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { paths } from '#domain/paths.ts'
import { Can } from '../../client/Can.tsx'
import { useRead } from '../../client/query.ts'
import { Metric } from '../../components/data/Metric.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { FilterChip } from '../../components/forms/FilterChip.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { CompareExperiments } from './CompareExperiments.tsx'
import { ExperimentList } from './ExperimentList.tsx'
import { ExperimentResults } from './ExperimentResults.tsx'
import { RunExperiment } from './experiments/RunExperiment.tsx'
import { useExperimentStart } from '../knowledge/retrieval/useExperimentStart.ts'
import { suiteFileMessages } from './files/suiteFileMessages.ts'
import { useSuiteFile } from './files/useSuiteFile.ts'
import { suiteMessages } from './messages.ts'
import { SuiteCases } from './SuiteCases.tsx'
import { DeleteSuite, RenameSuite, SuiteChecks } from './SuiteDialogs.tsx'
import { formatMeasure } from './suiteFigures.ts'
import classes from './Suites.module.css'
import { SweepView } from './sweep/SweepView.tsx'
import { useExperimentDefaults } from './useExperimentDefaults.ts'

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
