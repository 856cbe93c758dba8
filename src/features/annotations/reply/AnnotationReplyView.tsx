import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import { type Call, callEndpoints } from '#contract/console/calls.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { optionalAnnotationEndpoints } from '#contract/platform/optionalAnnotations.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { useAllRows } from '../../../client/cursorReads.ts'
import classes from '../Annotations.module.css'
import { annotationMessages } from '../messages.ts'
import { AnnotationProbe } from './AnnotationProbe.tsx'
import { AnnotationReplySettingsForm } from './AnnotationReplySettingsForm.tsx'
import { findLastReplyJob, findLastReplySettings, type StartedJob } from './annotationReply.ts'
import { Can } from '../../../client/Can.tsx'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'

const PARAMETERS_POLL_INTERVAL_MS = 3_000

/** Annotation reply of an app: status, settings, last job, and the probe. */
export function AnnotationReplyView({ workspace, app }: { workspace: Workspace; app: Key }) {
  const t = useMessages(annotationMessages)
  // A job finishes on the platform at an unknown time: poll the parameters that it changes.
  const parameters = useRead(
    appParameterEndpoints.parameters,
    { key: app.id },
    { pollIntervalMs: PARAMETERS_POLL_INTERVAL_MS },
  )
  const appQuery = (foundCalls: readonly Call[]) => foundCalls.filter(({ key }) => key === app.id)
  // For the whole workspace: the ledger has an index by operation there.
  const calls = useAllRows(
    callEndpoints.listCalls,
    { query: { workspace: workspace.id, entry: 'annotations.reply', include_bodies: 'true', limit: 50 } },
    (foundCalls) => findLastReplySettings(appQuery(foundCalls)) !== null,
  )
  const isOn = parameters.data?.annotation_reply?.enabled ?? null
  const job = findLastReplyJob(appQuery(calls.data ?? []))
  return (
    <div className={classes.reply}>
      <section aria-label={t('replyTitle')}>
        <div className={classes.replyHead}>
          <h2>{t('replyTitle')}</h2>
          {parameters.data ? (
            <span role="status">
              <StatusBadge
                status={isOn === null ? 'unknown' : isOn ? 'enabled' : 'disabled'}
                title={t(isOn === null ? 'isNotReported' : isOn ? 'isOn' : 'isOff')}
              />
            </span>
          ) : null}
        </div>
        <p className={classes.note}>{t('replyWhy')}</p>
        {parameters.data && isOn === null ? <p className={classes.note}>{t('isNotReported')}</p> : null}
        {parameters.error ? (
          <ProblemAlert
            problem={parameters.error.problem}
            action={t('parametersWhat')}
            onRetry={() => void parameters.refetch()}
          />
        ) : null}
        {calls.error ? (
          <ProblemAlert problem={calls.error.problem} action={t('jobWhat')} onRetry={() => void calls.refetch()} />
        ) : calls.data ? (
          <>
            <AnnotationReplySettingsForm
              workspace={workspace}
              app={app}
              lastSettings={findLastReplySettings(appQuery(calls.data))}
              isOn={isOn}
              onDone={() => void calls.refetch()}
            />
            {job ? (
              <AnnotationReplyJob key={job.job_id} app={app} job={job} />
            ) : (
              <p className={classes.note}>{t('jobNone')}</p>
            )}
          </>
        ) : (
          <SkeletonRows rows={4} height={40} />
        )}
      </section>
      <Can entry={chatEndpoints.send}>
        <AnnotationProbe workspace={workspace.id} app={app} />
      </Can>
    </div>
  )
}

const JOB_POLL_INTERVAL_MS = 1_000

/** The progress of a job, if the platform reports it; otherwise it is shown as started, never as done. */
function AnnotationReplyJob({ app, job }: { app: Key; job: StartedJob }) {
  const t = useMessages(annotationMessages)
  const { job_id, action, status, person, startedAt } = job
  const hasStatusEndpoint = app.offers.includes('annotationJob')
  const { data, error, refetch } = useRead(
    optionalAnnotationEndpoints.annotationJob,
    { key: app.id, params: { action, job_id } },
    {
      enabled: hasStatusEndpoint,
      pollIntervalMs: (reply) => (reply && isJobFinished(reply.job_status) ? false : JOB_POLL_INTERVAL_MS),
    },
  )
  // A platform rejects the id of an expired job with 400.
  const isMissing = error?.problem.upstream?.status === 400 || error?.problem.upstream?.status === 404
  const jobStatus = data?.job_status ?? (status && isJobFinished(status) ? status : null)
  return (
    <div className={classes.job} role="group" aria-label={t('job')}>
      <div>
        <StatusBadge status={isMissing ? 'unknown' : (jobStatus ?? t('jobStarted'))} />
        <span>
          {t.rich('jobOf', {
            action,
            person: person ?? t('nobody'),
            since: () => <RelativeTime at={startedAt} />,
          })}
        </span>
        <span className={classes.jobId}>
          {t('jobId')} <IdChip id={job_id} />
        </span>
      </div>
      {hasStatusEndpoint ? null : <p className={classes.note}>{t('jobStartedWhy')}</p>}
      {isMissing ? <p className={classes.note}>{t('jobUnknown')}</p> : null}
      {data?.error_msg ? <p className={classes.failed}>{data.error_msg}</p> : null}
      {error && !isMissing ? (
        <ProblemAlert problem={error.problem} action={t('jobWhat')} onRetry={() => void refetch()} />
      ) : null}
    </div>
  )
}

const isJobFinished = (status: string | null | undefined): boolean => status === 'completed' || status === 'error'
