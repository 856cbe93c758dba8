import { Box, Flex, NativeSelect, SimpleGrid, Text } from '@mantine/core'
import { type Experiment, type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { formatDateTime } from '#domain/dateFormat.ts'
import { useRead } from '../../../client/query.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { type Translate, useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { ComparisonResults } from './ComparisonResults.tsx'
import { experimentComparisonMessages } from './comparisonMessages.ts'
import { isAnyRunning } from '../experiments/suiteFigures.ts'

/** Experiments that can be chosen; the URL may name an older one. */
const MAX_CHOICES = 100
const RUNNING_POLL_INTERVAL_MS = 2_000

/** Two experiments of a suite, which the URL names; without them the newest, with the baseline or the one before. */
export function CompareExperiments({ suite }: { suite: Suite }) {
  const t = useMessages(experimentComparisonMessages)
  const { get } = useSearchParamState()
  const read = useRead(
    suiteEndpoints.listExperiments,
    { params: { suite_id: suite.id }, query: { page: 1, limit: MAX_CHOICES } },
    { pollIntervalMs: (reply) => (isAnyRunning(suite, reply?.data) ? RUNNING_POLL_INTERVAL_MS : false) },
  )
  return (
    <ReadBoundary
      read={read}
      action={t('experimentsWhat')}
      isInset
      loading={
        <Box px="lg" py="md">
          <SkeletonRows rows={8} height={34} />
        </Box>
      }
    >
      {({ data }) => {
        const pair = choosePair(suite, data, get('experiment'), get('with'))
        return pair ? (
          <ComparedPair suite={suite} experiments={data} pair={pair} />
        ) : (
          <EmptyState title={t('tooFewTitle')}>{t('tooFewText')}</EmptyState>
        )
      }}
    </ReadBoundary>
  )
}

interface ExperimentPair {
  before: string
  after: string
}

interface ComparedPairProps {
  suite: Suite
  experiments: readonly Experiment[]
  pair: ExperimentPair
}

function ComparedPair({ suite, experiments, pair }: ComparedPairProps) {
  const t = useMessages(experimentComparisonMessages)
  const { set } = useSearchParamState()
  return (
    <Flex component="section" direction="column" gap="md" px="lg" py="md" aria-label={t('comparison')}>
      <SimpleGrid
        maw={740}
        minColWidth="min(260px, 100%)"
        autoFlow="auto-fit"
        spacing="lg"
        verticalSpacing="sm"
        role="group"
        aria-label={t('chosen')}
      >
        <NativeSelect
          label={t('before')}
          value={pair.before}
          data={toOptions(t, experiments, pair.before, pair.after)}
          onChange={(event) => set({ experiment: pair.after, with: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('after')}
          value={pair.after}
          data={toOptions(t, experiments, pair.after, pair.before)}
          onChange={(event) => set({ experiment: event.currentTarget.value, with: pair.before })}
        />
      </SimpleGrid>
      <BaselineNote suite={suite} before={experiments.find(({ id }) => id === pair.before)} />
      <ComparisonResults key={`${pair.before} ${pair.after}`} suite={suite} {...pair} />
    </Flex>
  )
}

/** Whether the earlier experiment is the approved baseline, by whom and when; nothing for another one. */
function BaselineNote({ suite, before }: { suite: Suite; before: Experiment | undefined }) {
  const t = useMessages(experimentComparisonMessages)
  if (suite.baseline === null)
    return (
      <Text fz="sm" c="dimmed">
        {t('noBaseline')}
      </Text>
    )
  if (!before?.is_baseline) return null
  return (
    <Text fz="sm" c="dimmed">
      {t('baselineOf', { person: before.approved_by ?? t('theConsole') })}, <RelativeTime at={before.approved_at} />
    </Text>
  )
}

/** The ids to compare; null with fewer than two experiments. `experiments` is newest first. */
function choosePair(
  { baseline }: Suite,
  experiments: readonly Experiment[],
  chosenAfter: string | undefined,
  chosenBefore: string | undefined,
): ExperimentPair | null {
  const after = chosenAfter ?? experiments.find(({ id }) => id !== chosenBefore)?.id
  if (after === undefined) return null
  if (chosenBefore !== undefined && chosenBefore !== after) return { before: chosenBefore, after }
  if (baseline !== null && baseline !== after) return { before: baseline, after }
  const index = experiments.findIndex(({ id }) => id === after)
  const before = experiments[index + 1] ?? experiments.find(({ id }) => id !== after)
  return before ? { before: before.id, after } : null
}

/** The newest experiments and the chosen one; the other one of the pair cannot be chosen twice. */
function toOptions(
  t: Translate<typeof experimentComparisonMessages>,
  experiments: readonly Experiment[],
  chosen: string,
  other: string,
) {
  const options = experiments.map(({ id, batch, outcomes, is_baseline }) => {
    const choice = t('choice', { at: formatDateTime(batch.created_at), pass: outcomes.pass, all: batch.total })
    return { value: id, label: is_baseline ? t('baselineChoice', { choice }) : choice, disabled: id === other }
  })
  return options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen.slice(0, 8) }]
}
