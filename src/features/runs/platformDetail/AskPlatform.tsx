import { Button, TextInput } from '@mantine/core'
import { IconMessageQuestion } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { isUnresolvedStatus } from '#contract/console/runs.ts'
import { Id } from '#contract/endpoint.ts'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { isLongOver, type Turn } from '../turn.ts'
import classes from './AskPlatform.module.css'
import { LoggedRuns } from './LoggedRuns.tsx'
import { timelineMessages } from '../timeline/messages.ts'
import { usePermission } from '../../../client/usePermission.ts'

/**
 * Offers to query operation 12 for the outcome of a workflow or a chatflow without a final event, or a paused one. A call that was cut before it
 * named its run needs the id: from the platform's log if available, else typed.
 */
export function AskPlatform({ turn, app }: { turn: Turn; app: Key }) {
  const t = useMessages(timelineMessages)
  const [needsId, setAsksId] = useState(false)
  const [hasIdError, setFault] = useState(false)
  const write = useWrite(runInsightEndpoints.reconcileRun)
  const canReconcile = usePermission()(runInsightEndpoints.reconcileRun)
  const { run_id, answer, state, sent_at, question } = turn
  const known = answer.run.workflow_run_id
  const isWorkflow = turn.entry === 'workflows.run' || known !== null
  if (!canReconcile || !isWorkflow || !isUnresolvedStatus(state)) return null
  const ask = (workflow_run_id?: string) =>
    write.mutate({ params: { run_id }, body: workflow_run_id ? { workflow_run_id } : {} })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const id = Id.safeParse(String(new FormData(event.currentTarget).get('id')).trim())
    setFault(!id.success)
    if (id.success) ask(id.data)
  }
  const problem = write.error?.problem
  const isStillOpen = write.isSuccess && isUnresolvedStatus(write.data.status)
  const stillSays = answer.run.told && isLongOver(turn) ? answer.run.status : null
  return (
    <section className={classes.ask} aria-label={t('askPlatform')}>
      <div className={classes.row}>
        <Button
          variant="default"
          leftSection={<IconMessageQuestion size={14} />}
          loading={write.isPending}
          onClick={() => (known ? ask() : setAsksId(true))}
        >
          {t('askPlatform')}
        </Button>
        <span className={classes.note} aria-live="polite">
          {stillSays !== null
            ? t('stillSays', { status: stillSays })
            : isStillOpen
              ? t('stillOpen', { status: answer.run.status ?? t('notGiven') })
              : t('askWhy')}
        </span>
      </div>
      {needsId && !known ? (
        <>
          <p className={classes.note}>{t('askNeedsId')}</p>
          {app.offers.includes('workflowLogs') ? (
            <LoggedRuns app={app.id} sent_at={sent_at} user={question.user} onChoose={ask} />
          ) : null}
          <form className={classes.row} onSubmit={submit}>
            <TextInput
              name="id"
              className={classes.id}
              aria-label={t('workflowRunId')}
              placeholder={t('workflowRunId')}
              error={hasIdError ? t('noId') : undefined}
              autoComplete="off"
              spellCheck={false}
            />
            <Button type="submit" variant="default" loading={write.isPending}>
              {t('askForIt')}
            </Button>
          </form>
        </>
      ) : null}
      {problem ? (
        <ProblemAlert problem={problem} action={t('loadThisRun')} {...getProblemTitle(problem.upstream?.status)} />
      ) : null}
    </section>
  )

  function getProblemTitle(status: number | undefined): { title?: string } {
    return status === 404 || (status === 200 && problem?.kind === 'refused') ? { title: t('knowsNoRun') } : {}
  }
}
