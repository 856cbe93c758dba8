import type { Key, Workspace } from '#contract/console.ts'
import type { Call } from '#contract/calls.ts'
import { contract } from '#contract/index.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead, useRows } from '../../wire/query.ts'
import classes from './Annotations.module.css'
import { annotationsWords } from './messages.ts'
import { Probe } from './Probe.tsx'
import { ReplyJob } from './ReplyJob.tsx'
import { ReplySettings } from './ReplySettings.tsx'
import { jobIn, settingsIn } from './replyCalls.ts'
import { May } from '../../wire/May.tsx'

const POLL = 3_000

/** Annotation reply of an app: whether it is on, its settings, its last job, and the probe. */
export function ReplyView({ workspace, app }: { workspace: Workspace; app: Key }) {
  const t = useWords(annotationsWords)
  // A job that was started ends at the platform, some time: what it changes is looked after.
  const parameters = useRead(contract.workflows.parameters, { key: app.id }, { poll: POLL })
  const ofApp = (found: readonly Call[]) => found.filter(({ key }) => key === app.id)
  // Of the whole workspace: an operation has an index of its own there, whatever else the app was asked.
  const calls = useRows(
    contract.console.listCalls,
    { query: { workspace: workspace.id, entry: 'annotations.reply', whole: 'true', limit: 50 } },
    (found) => settingsIn(ofApp(found)) !== null,
  )
  const isOn = parameters.data?.annotation_reply?.enabled ?? null
  const job = jobIn(ofApp(calls.data ?? []))
  return (
    <div className={classes.reply}>
      <section aria-label={t('replyTitle')}>
        <h2>{t('replyTitle')}</h2>
        <p className={classes.note}>{t('replyWhy')}</p>
        {parameters.error ? (
          <ProblemNote
            problem={parameters.error.problem}
            what={t('parametersWhat')}
            onRetry={() => void parameters.refetch()}
          />
        ) : parameters.data ? (
          <p role="status">{t(isOn === null ? 'isNotTold' : isOn ? 'isOn' : 'isOff')}</p>
        ) : null}
        {calls.error ? (
          <ProblemNote problem={calls.error.problem} what={t('jobWhat')} onRetry={() => void calls.refetch()} />
        ) : calls.data ? (
          <>
            <ReplySettings
              workspace={workspace}
              app={app}
              used={settingsIn(ofApp(calls.data))}
              onDone={() => void calls.refetch()}
            />
            {job ? <ReplyJob key={job.job_id} app={app} job={job} /> : <p className={classes.note}>{t('jobNone')}</p>}
          </>
        ) : (
          <SkeletonRows rows={4} height={40} />
        )}
      </section>
      <May entry={contract.chat.send}>
        <Probe workspace={workspace.id} app={app} />
      </May>
    </div>
  )
}
