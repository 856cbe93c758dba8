import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { predictionEndpoints, type SuitePrediction } from '#contract/console/experiments/predictions.ts'
import { suiteEndpoints, type Suite } from '#contract/console/suites.ts'
import { countPredictedChanges, type PredictedCase, pairPredictions } from '#domain/experiments/predictedChanges.ts'
import { paths } from '#domain/paths.ts'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { predictionMessages } from './messages.ts'
import { useEffect, useRef, useState } from 'react'
import type { EndpointBody } from '#contract/endpoint.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { call } from '../../../client/http.ts'

interface PredictionPanelProps {
  dataset_id: string
  workspace: string
  keyId: string
  edit: PredictedEdit
}

const MAX_SUITES = 50

/** Which questions of the dataset's suites an edit would change. A person may look before saving, and never has to. */
export function PredictionPanel({ dataset_id, workspace, keyId, edit }: PredictionPanelProps) {
  const t = useMessages(predictionMessages)
  const can = usePermission()
  const canPredict = can(predictionEndpoints.predictSuite)
  const read = useRead(
    suiteEndpoints.listSuites,
    { query: { workspace, target: 'retrieval', about: dataset_id, limit: MAX_SUITES } },
    { enabled: canPredict },
  )
  const suites = read.data?.data.filter(({ cases }) => cases > 0) ?? []
  const total = suites.reduce((sum, { cases }) => sum + cases, 0)
  const { state, isOutdated, start, cancel } = usePrediction(keyId, suites, edit)
  if (!canPredict || (!read.data && !read.error)) return null
  return (
    <Stack
      component="section"
      gap="sm"
      miw={0}
      px="md"
      py="sm"
      bd="1px solid var(--line)"
      bdrs="sm"
      aria-label={t('title')}
    >
      <Text component="h3" fz={13} fw={600}>
        {t('title')}
      </Text>
      <ReadBoundary
        read={read}
        action={t('suitesWhat')}
        isEmpty={() => total === 0}
        empty={
          <Text fz="sm" c="dimmed">
            {t('noSuites')} <Link to={paths.retrieval(dataset_id, { workspace })}>{t('makeSuite')}</Link>
          </Text>
        }
      >
        {() => (
          <>
            {state.status === 'idle' ? (
              <Text fz="sm" c="dimmed">
                {t(isOutdated ? 'outdated' : 'hint')}
              </Text>
            ) : null}
            {state.status === 'failed' ? (
              <ProblemAlert problem={state.problem} action={t('checkWhat')} isInForm />
            ) : null}
            {state.status === 'done' ? (
              state.source === 'none' ? (
                <Text fz="sm" c="dimmed" role="status">
                  {t(`obstacles.${state.reason ?? 'not_listed'}`)}
                </Text>
              ) : (
                <PredictionResult cases={state.cases} total={total} isEstimate={state.source === 'estimate'} />
              )
            ) : (
              <Group gap="sm">
                <Button variant="default" loading={state.status === 'running'} onClick={() => void start()}>
                  {t('check', { n: Math.min(total, MAX_PREDICTED_CASES) })}
                </Button>
                {state.status === 'running' ? (
                  <>
                    <Button variant="subtle" color="gray" onClick={cancel}>
                      {t('cancel')}
                    </Button>
                    <Text span fz="sm" c="dimmed" role="status">
                      {t('checking', { done: state.checked, all: Math.min(total, MAX_PREDICTED_CASES) })}
                    </Text>
                  </>
                ) : null}
              </Group>
            )}
          </>
        )}
      </ReadBoundary>
    </Stack>
  )
}

interface PredictionResultProps {
  cases: readonly CheckedCase[]
  total: number
  isEstimate: boolean
}

/** How many questions would change, and each of them, those that break first. */
function PredictionResult({ cases, total, isEstimate }: PredictionResultProps) {
  const t = useMessages(predictionMessages)
  const counts = countPredictedChanges(cases)
  const changed = (['regressed', 'fixed', 'moved'] as const).flatMap((change) =>
    cases.filter((one) => one.change === change),
  )
  return (
    <>
      <Text fz={13} role="status">
        {changed.length === 0 ? t('nothingChanges', { n: cases.length }) : t('summary', counts)}
      </Text>
      {changed.length > 0 ? (
        <Stack
          component="ul"
          gap={4}
          mah={260}
          m={0}
          p={0}
          fz="sm"
          style={{ overflow: 'auto' }}
          aria-label={t('changedCases')}
        >
          {changed.map((one) => (
            <ChangedCase key={`${one.suite.id} ${one.case_id}`} of={one} />
          ))}
        </Stack>
      ) : null}
      {isEstimate ? (
        <Text fz="sm" c="dimmed">
          <b>{t('estimate')}.</b> {t('estimateText')}
        </Text>
      ) : null}
      {cases.length < total ? (
        <Text fz="sm" c="dimmed">
          {t('leftOut', { n: cases.length, all: total })}
        </Text>
      ) : null}
    </>
  )
}

function ChangedCase({ of: { case_name, change, before, after, suite } }: { of: CheckedCase }) {
  const t = useMessages(predictionMessages)
  const toPlace = (rank: number | null) => (rank ? t('rank', { rank }) : t('notFound'))
  return (
    <Group component="li" gap="2px 8px" data-change={change}>
      <StatusBadge status={t(`changes.${change}`)} isPlain />
      <Box
        component={Link}
        flex="1 1 160px"
        to={paths.suite(suite.id, { workspace: suite.workspace })}
        title={suite.name}
        dir="auto"
        style={{ overflowWrap: 'anywhere' }}
      >
        {case_name}
      </Box>
      <Text span inherit c="dimmed">
        {t('fromTo', { before: toPlace(before.rank), after: toPlace(after.rank) })}
      </Text>
    </Group>
  )
}

type PredictedEdit = Pick<EndpointBody<typeof predictionEndpoints.predictSuite>, 'segments' | 'retrieval_model'>

/** Questions that are checked at most; a person waits for them. */
const MAX_PREDICTED_CASES = 300
const PAGE_SIZE_ROWS = 25

interface CheckedCase extends PredictedCase {
  suite: Suite
}

type PredictionState =
  | { status: 'idle' }
  | { status: 'running'; checked: number }
  | { status: 'failed'; problem: Problem }
  | { status: 'done'; source: SuitePrediction['source']; reason: SuitePrediction['reason']; cases: CheckedCase[] }

/** Checks the cases of suites with and without an edit. Continuing to edit ends the check and hides its result. */
function usePrediction(keyId: string, suites: readonly Suite[], edit: PredictedEdit) {
  const editKey = JSON.stringify(edit)
  const [checked, setChecked] = useState<{ editKey: string; state: PredictionState } | null>(null)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [editKey])
  const isCurrent = checked?.editKey === editKey
  const state: PredictionState = isCurrent ? checked.state : { status: 'idle' }

  const start = async () => {
    controller.current?.abort()
    const { signal } = (controller.current = new AbortController())
    const report = (next: PredictionState) => {
      if (!signal.aborted) setChecked({ editKey, state: next })
    }
    report({ status: 'running', checked: 0 })
    try {
      report(
        await predictSuites({
          keyId,
          suites,
          edit,
          signal,
          onChecked: (n) => report({ status: 'running', checked: n }),
        }),
      )
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ProblemError)) throw error
      report({ status: 'failed', problem: error.problem })
    }
  }
  const cancel = () => {
    controller.current?.abort()
    setChecked(null)
  }
  return { state, isOutdated: checked !== null && !isCurrent, start, cancel }
}

interface PredictionRun {
  keyId: string
  suites: readonly Suite[]
  edit: PredictedEdit
  signal: AbortSignal
  onChecked: (count: number) => void
}

async function predictSuites({ keyId, suites, edit, signal, onChecked }: PredictionRun): Promise<PredictionState> {
  const cases: CheckedCase[] = []
  let source: SuitePrediction['source'] = 'dry_run'
  // All suites are of one dataset, which an estimate lists once.
  let listing: string | undefined
  for (const suite of suites)
    for (let page = 1, hasMore = true; hasMore && cases.length < MAX_PREDICTED_CASES; page++) {
      const params = { suite_id: suite.id }
      const body = { key: keyId, page, limit: PAGE_SIZE_ROWS }
      const predict = async (change: PredictedEdit) => {
        const given = { params, body: { ...body, ...change, listing } }
        const prediction = await call(predictionEndpoints.predictSuite, given, { signal })
        listing = prediction.listing ?? undefined
        return prediction
      }
      const before = await predict({})
      const after = await predict(edit)
      if (after.source === 'none') return { status: 'done', source: 'none', reason: after.reason, cases: [] }
      if (after.source === 'estimate') source = 'estimate'
      cases.push(...pairPredictions(before.data, after.data).map((one) => ({ ...one, suite })))
      onChecked(cases.length)
      hasMore = after.has_more
    }
  return { status: 'done', source, reason: null, cases: cases.slice(0, MAX_PREDICTED_CASES) }
}
