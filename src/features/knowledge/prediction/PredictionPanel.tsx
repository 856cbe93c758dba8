import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { predictionEndpoints } from '#contract/console/experiments/predictions.ts'
import { suiteEndpoints } from '#contract/console/suites.ts'
import { countPredictedChanges } from '#domain/experiments/predictedChanges.ts'
import { paths } from '#domain/paths.ts'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { predictionMessages } from './messages.ts'
import classes from './Prediction.module.css'
import { type CheckedCase, MAX_PREDICTED_CASES, type PredictedEdit, usePrediction } from './usePrediction.ts'

export interface PredictionPanelProps {
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
  const { data, error, refetch } = useRead(
    suiteEndpoints.listSuites,
    { query: { workspace, target: 'retrieval', about: dataset_id, limit: MAX_SUITES } },
    { enabled: canPredict },
  )
  const suites = data?.data.filter(({ cases }) => cases > 0) ?? []
  const total = suites.reduce((sum, { cases }) => sum + cases, 0)
  const { state, isOutdated, start, cancel } = usePrediction(keyId, suites, edit)
  if (!canPredict || (!data && !error)) return null
  return (
    <section className={classes.panel} aria-label={t('title')}>
      <h3>{t('title')}</h3>
      {error ? <ProblemAlert problem={error.problem} action={t('suitesWhat')} onRetry={() => void refetch()} /> : null}
      {data && total === 0 ? (
        <p className={classes.note}>
          {t('noSuites')} <Link to={paths.retrieval(dataset_id, { workspace })}>{t('makeSuite')}</Link>
        </p>
      ) : null}
      {total > 0 && state.status === 'idle' ? (
        <p className={classes.note}>{t(isOutdated ? 'outdated' : 'hint')}</p>
      ) : null}
      {state.status === 'failed' ? <ProblemAlert problem={state.problem} action={t('checkWhat')} isInForm /> : null}
      {state.status === 'done' ? (
        state.source === 'none' ? (
          <p className={classes.note} role="status">
            {t(`obstacles.${state.reason ?? 'not_listed'}`)}
          </p>
        ) : (
          <PredictionResult cases={state.cases} total={total} isEstimate={state.source === 'estimate'} />
        )
      ) : null}
      {total > 0 && state.status !== 'done' ? (
        <div className={classes.buttons}>
          <Button variant="default" loading={state.status === 'running'} onClick={() => void start()}>
            {t('check', { n: Math.min(total, MAX_PREDICTED_CASES) })}
          </Button>
          {state.status === 'running' ? (
            <>
              <Button variant="subtle" color="gray" onClick={cancel}>
                {t('cancel')}
              </Button>
              <span role="status" className={classes.note}>
                {t('checking', { done: state.checked, all: Math.min(total, MAX_PREDICTED_CASES) })}
              </span>
            </>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}

interface PredictionResultProps {
  cases: readonly CheckedCase[]
  /** Questions of all suites. */
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
      <p role="status" className={classes.summary}>
        {changed.length === 0 ? t('nothingChanges', { n: cases.length }) : t('summary', counts)}
      </p>
      {changed.length > 0 ? (
        <ul className={classes.cases} aria-label={t('changedCases')}>
          {changed.map((one) => (
            <ChangedCase key={`${one.suite.id} ${one.case_id}`} of={one} />
          ))}
        </ul>
      ) : null}
      {isEstimate ? (
        <p className={classes.note}>
          <b>{t('estimate')}.</b> {t('estimateText')}
        </p>
      ) : null}
      {cases.length < total ? <p className={classes.note}>{t('leftOut', { n: cases.length, all: total })}</p> : null}
    </>
  )
}

function ChangedCase({ of: { case_name, change, before, after, suite } }: { of: CheckedCase }) {
  const t = useMessages(predictionMessages)
  const toPlace = (rank: number | null) => (rank ? t('rank', { rank }) : t('notFound'))
  return (
    <li data-change={change}>
      <StatusBadge status={t(`changes.${change}`)} isPlain />
      <Link to={paths.suite(suite.id, { workspace: suite.workspace })} title={suite.name} dir="auto">
        {case_name}
      </Link>
      <span>{t('fromTo', { before: toPlace(before.rank), after: toPlace(after.rank) })}</span>
    </li>
  )
}
