import { Flex, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type ExperimentCauses, experimentCauseEndpoints } from '#contract/console/experiments/experimentCauses.ts'
import {
  CASE_CHANGES,
  type CaseChange,
  type CaseComparison,
  type ExperimentComparison,
  type Suite,
  suiteEndpoints,
  type PassRate,
  type ExperimentDifference,
} from '#contract/console/suites.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { paths } from '#domain/paths.ts'
import { MIN_CHANGED_CASES } from '#domain/experiments/pairedStatistics.ts'
import { useRead } from '../../../client/query.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { Table, type TableColumn } from '../../../components/data/Table.tsx'
import { FilterChip } from '../../../components/forms/FilterChip.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { ResourceList } from '../../../components/layout/ResourceList.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import classes from '../Suites.module.css'
import { experimentComparisonMessages, causeMessages } from './comparisonMessages.ts'
import { CaseCausesList, RegressionCauses } from './RegressionCauses.tsx'
import { Metric } from '../../../components/data/Metric.tsx'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { ParametersChanged } from '../../runs/compare/ChangeLists.tsx'
import blocks from '../../../components/layout/Blocks.module.css'

const PAGE_SIZE_ROWS = 50
const POLL_INTERVAL_MS = 2_000

/** What two experiments say together: whether it is better or worse, what changed between them, and each case. */
export function ComparisonResults({ suite, before, after }: { suite: Suite; before: string; after: string }) {
  const t = useMessages(experimentComparisonMessages)
  const { get } = useSearchParamState()
  const change = CASE_CHANGES.find((one) => one === get('change'))
  const read = useRead(
    suiteEndpoints.compareExperiments,
    {
      params: { experiment_id: after },
      query: { with: before, change, page: get('page') ?? 1, limit: PAGE_SIZE_ROWS },
    },
    { pollIntervalMs: (reply) => (reply && isRunning(reply) ? POLL_INTERVAL_MS : false) },
  )
  return (
    <ReadBoundary read={read} action={t('compareWhat')} loading={<SkeletonRows rows={8} height={34} />}>
      {(comparison) => (
        <ComparedCases suite={suite} before={before} after={after} read={read} comparison={comparison} />
      )}
    </ReadBoundary>
  )
}

interface ComparedCasesProps {
  suite: Suite
  before: string
  after: string
  read: ReturnType<typeof useRead<typeof suiteEndpoints.compareExperiments>>
  comparison: ExperimentComparison
}

function ComparedCases({ suite, before, after, read, comparison }: ComparedCasesProps) {
  const t = useMessages(experimentComparisonMessages)
  const tCauses = useMessages(causeMessages)
  const { get, set } = useSearchParamState()
  const change = CASE_CHANGES.find((one) => one === get('change'))
  const { counts, data } = comparison
  const isExplained = counts.regressed > 0
  const causes = useRead(
    experimentCauseEndpoints.explainRegressions,
    { params: { experiment_id: after }, query: { with: before } },
    { enabled: isExplained && !isRunning(comparison) },
  )
  const columns = useCaseColumns(suite, causes.data)
  const chip = (name: CaseChange | null, n: number) => (
    <FilterChip
      key={name ?? 'all'}
      isPressed={(change ?? null) === name}
      onClick={() => set({ change: name, experiment: after, with: before }, { replace: true })}
    >
      {name ? t(`changes.${name}`) : t('allCases')} {formatCount(n)}
    </FilterChip>
  )
  const all = CASE_CHANGES.reduce((sum, name) => sum + counts[name], 0)
  return (
    <>
      <ComparisonSummary comparison={comparison} />
      {isExplained ? (
        <ReadBoundary read={causes} action={tCauses('causesWhat')} loading={null}>
          {(found) => <RegressionCauses suite={suite} causes={found} />}
        </ReadBoundary>
      ) : null}
      <ExperimentDifferences suite={suite} comparison={comparison} />
      <Group gap="sm" role="group" aria-label={t('changesFilter')}>
        {chip(null, all)}
        {CASE_CHANGES.filter((name) => counts[name] > 0 || name === change).map((name) => chip(name, counts[name]))}
      </Group>
      <ResourceList<CaseComparison>
        label={t('comparedCases')}
        // A refusal is shown above the comparison.
        read={{ ...read, error: null }}
        rows={data}
        page={comparison}
        action={t('compareWhat')}
        columns={columns}
        getKey={({ case_id }) => case_id}
        empty={
          <Text fz="sm" c="dimmed">
            {t('noCases')}
          </Text>
        }
      />
    </>
  )
}

const isRunning = ({ before, after }: ExperimentComparison): boolean =>
  [before, after].some(({ batch }) => batch.state === 'running' || batch.counts.running > 0)

function useCaseColumns(suite: Suite, causes: ExperimentCauses | undefined): TableColumn<CaseComparison>[] {
  const t = useMessages(experimentComparisonMessages)
  return [
    { header: t('changeHead'), cell: ({ change }) => <StatusBadge status={t(`changes.${change}`)} isPlain /> },
    {
      header: t('caseHead'),
      grows: true,
      cell: ({ case_name, is_edited }) => (
        <span title={case_name} dir="auto">
          {case_name} {is_edited ? <small title={t('editedTitle')}>{t('edited')}</small> : null}
        </span>
      ),
    },
    {
      header: t('before'),
      cell: (row) => (
        <span data-above-row>
          <Outcome suite={suite} of={row} side="before" />
        </span>
      ),
    },
    { header: t('after'), cell: (row) => <Outcome suite={suite} of={row} side="after" /> },
    {
      header: t('why'),
      grows: true,
      cell: (row) => (
        <>
          <Reasons of={row} />
          {row.change === 'regressed' ? <CaseCausesList suite={suite} causes={causes} case_id={row.case_id} /> : null}
        </>
      ),
    },
  ]
}

/** The outcome of a case in one of the experiments, as a link to the call that shows it. */
function Outcome({ suite, of, side }: { suite: Suite; of: CaseComparison; side: 'before' | 'after' }) {
  const t = useMessages(experimentComparisonMessages)
  const result = of[side]
  if (!result) return <span>{t('notThere')}</span>
  const text = result.outcome ? t(result.outcome) : t('noOutcome')
  const { run } = result
  if (!run) return <span>{text}</span>
  const { workspace, target } = suite
  const name = t('openRunOf', { run: run.slice(0, 8), name: of.case_name, side: t(side) })
  return (
    <Link
      to={target === 'retrieval' ? paths.ledger({ workspace, call: run }) : paths.run(run, { workspace })}
      title={name}
      aria-label={`${text}. ${name}`}
    >
      {text}
    </Link>
  )
}

/** Why the case did not pass, before and after. */
function Reasons({ of: { before, after } }: { of: CaseComparison }) {
  const t = useMessages(experimentComparisonMessages)
  if (!before?.reason && !after?.reason) return <span>{t('dash')}</span>
  return (
    <ul className={classes.reasons} style={{ color: 'var(--text-2)' }}>
      {before?.reason ? <li title={before.reason}>{t('beforeReason', { reason: before.reason })}</li> : null}
      {after?.reason ? <li title={after.reason}>{t('afterReason', { reason: after.reason })}</li> : null}
    </ul>
  )
}

/** Whether the later experiment is better, and how many cases passed in both, with intervals. */
function ComparisonSummary({ comparison }: { comparison: ExperimentComparison }) {
  const t = useMessages(experimentComparisonMessages)
  const { pass_rates, test, edited } = comparison
  const { fixed, regressed, p_value, conclusion } = test
  return (
    <Stack gap="xs">
      <p
        className={blocks.noted}
        data-tone={conclusion === 'better' ? 'succeeded' : conclusion === 'worse' ? 'failed' : undefined}
        title={t('testTitle')}
      >
        {p_value === null
          ? t('conclusions.too_few', { n: fixed + regressed, min: MIN_CHANGED_CASES })
          : t(`conclusions.${conclusion}`, {
              n: fixed + regressed,
              min: MIN_CHANGED_CASES,
              fixed,
              regressed,
              p: p_value < SMALLEST_P_VALUE ? t('belowSmallest') : t('exactly', { p: p_value.toFixed(3) }),
            })}
      </p>
      {pass_rates.before.total === 0 ? (
        <Text fz="sm" c="dimmed">
          {t('noRate')}
        </Text>
      ) : (
        <Stack gap={4}>
          <Metric label={t('before')} value={<Rate of={pass_rates.before} />} />
          <Metric label={t('after')} value={<Rate of={pass_rates.after} />} />
        </Stack>
      )}
      {edited > 0 ? (
        <Text fz="sm" c="dimmed">
          {t('editedCount', { n: edited })}
        </Text>
      ) : null}
    </Stack>
  )
}

const SMALLEST_P_VALUE = 0.001

const toPercent = (share: number): number => Math.round(share * 100)

function Rate({ of: { passed, total, low, high } }: { of: PassRate }) {
  const t = useMessages(experimentComparisonMessages)
  return (
    <>
      {t('rate', { passed, total, share: toPercent(passed / total) })}{' '}
      {low === null || high === null ? null : (
        <small>{t('interval', { low: toPercent(low), high: toPercent(high) })}</small>
      )}
    </>
  )
}

/** What is recorded to have changed between two experiments: version, settings, checks, parameters, and the dataset. */
function ExperimentDifferences({ suite, comparison }: { suite: Suite; comparison: ExperimentComparison }) {
  const t = useMessages(experimentComparisonMessages)
  const { workspaces } = useWorkspace()
  const { before, after, differences, knowledge_edits } = comparison
  const keys = workspaces.find(({ id }) => id === suite.workspace)?.keys ?? []
  const toValue = ({ name }: ExperimentDifference, value: string | null) =>
    value === null ? t('dash') : ((name === 'key' ? keys.find(({ id }) => id === value)?.label : undefined) ?? value)
  const columns: TableColumn<ExperimentDifference>[] = [
    {
      header: t('whatDiffers'),
      cell: ({ name }) => (
        <span>
          {t(`differenceNames.${toGroup(name)}`)}{' '}
          <Text component="code" fz="xs" c="var(--text-3)">
            {name}
          </Text>
        </span>
      ),
    },
    { header: t('before'), grows: true, cell: (one) => <Value text={toValue(one, one.before)} /> },
    { header: t('after'), grows: true, cell: (one) => <Value text={toValue(one, one.after)} /> },
  ]
  const isSameApp = suite.target !== 'retrieval' && before.target.key === after.target.key
  return (
    <Flex component="section" direction="column" gap="sm" miw={0} aria-label={t('differences')}>
      <Text component="h2" fz="md" fw={600}>
        {t('differences')}
      </Text>
      {differences.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {t('noDifferences')}
        </Text>
      ) : (
        <Table
          label={t('whatDiffers')}
          columns={columns}
          rows={differences}
          getKey={({ name, before: older, after: newer }) => [name, older, newer].join(' ')}
        />
      )}
      {isSameApp ? (
        <ParametersChanged
          workspace={suite.workspace}
          app={after.target.key}
          since={Date.parse(before.batch.created_at)}
          until={Date.parse(after.batch.created_at)}
        />
      ) : null}
      {knowledge_edits ? (
        <Text fz="sm" c="dimmed">
          {t.rich('knowledgeEdits', {
            n: knowledge_edits.count,
            link: (text) => (
              <Link
                to={paths.ledger({
                  workspace: suite.workspace,
                  resource: suite.about,
                  from: knowledge_edits.from,
                  to: knowledge_edits.to,
                })}
              >
                {text}
              </Link>
            ),
          })}
        </Text>
      ) : null}
    </Flex>
  )
}

type DifferenceGroup = keyof typeof experimentComparisonMessages.differenceNames

/** `retrieval_model.top_k` belongs to `retrieval_model`. */
const toGroup = (name: string): DifferenceGroup => name.split('.')[0] as DifferenceGroup

const Value = ({ text }: { text: string }) => (
  <Text span fz="inherit" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }} title={text} dir="auto">
    {text}
  </Text>
)
