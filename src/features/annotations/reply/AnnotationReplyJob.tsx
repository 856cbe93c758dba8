import { optionalAnnotationEndpoints } from '#contract/platform/optionalAnnotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import classes from '../Annotations.module.css'
import { annotationMessages } from '../messages.ts'
import type { StartedJob } from './annotationReplyCalls.ts'

const JOB_POLL_INTERVAL_MS = 1_000

/** The progress of a job, if the platform reports it; otherwise it is shown as started, never as done. */
export function AnnotationReplyJob({ app, job }: { app: Key; job: StartedJob }) {
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
