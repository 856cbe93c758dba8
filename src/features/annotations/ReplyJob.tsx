import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { IdChip } from '../../ui/IdChip.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import classes from './Annotations.module.css'
import { annotationsWords } from './messages.ts'
import type { StartedJob } from './replyCalls.ts'

const POLL = 1_000

/** How far a job has come, by the platform where it tells; else it is started, and never done. */
export function ReplyJob({ app, job }: { app: Key; job: StartedJob }) {
  const t = useWords(annotationsWords)
  const { job_id, action, status, person, at } = job
  const isTold = app.offers.includes('annotationJob')
  const { data, error, refetch } = useRead(
    contract.adjacent.annotationJob,
    { key: app.id, params: { action, job_id } },
    { enabled: isTold, poll: (reply) => (reply && isOver(reply.job_status) ? false : POLL) },
  )
  // A platform that has forgotten a job refuses its id as no such parameter.
  const isGone = error?.problem.upstream?.status === 400 || error?.problem.upstream?.status === 404
  const told = data?.job_status ?? (status && isOver(status) ? status : null)
  return (
    <div className={classes.job} role="group" aria-label={t('job')}>
      <div>
        <StateBadge word={isGone ? 'unknown' : (told ?? t('jobStarted'))} />
        <span>{t.rich('jobOf', { action, person: person ?? t('nobody'), since: () => <Since at={at} ago /> })}</span>
        <span className={classes.jobId}>
          {t('jobId')} <IdChip id={job_id} />
        </span>
      </div>
      {isTold ? null : <p className={classes.note}>{t('jobStartedWhy')}</p>}
      {isGone ? <p className={classes.note}>{t('jobGone')}</p> : null}
      {data?.error_msg ? <p className={classes.failed}>{data.error_msg}</p> : null}
      {error && !isGone ? (
        <ProblemNote problem={error.problem} what={t('jobWhat')} onRetry={() => void refetch()} />
      ) : null}
    </div>
  )
}

const isOver = (status: string | null | undefined): boolean => status === 'completed' || status === 'error'
