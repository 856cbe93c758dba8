import { Button, TextInput } from '@mantine/core'
import { IconMessageQuestion } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Key } from '#contract/console.ts'
import { Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import type { Turn } from '../turn.ts'
import classes from './AskPlatform.module.css'
import { LoggedRuns } from './LoggedRuns.tsx'
import { timelineWords } from './messages.ts'
import { useMay } from '../../wire/useMay.ts'

/**
 * The offer to ask operation 12 how a workflow ended whose own stream or reply did not say it. A call that was cut before
 * it named its run needs the id: from the platform's log where that is offered, else by hand.
 */
export function AskPlatform({ turn, app }: { turn: Turn; app: Key }) {
  const t = useWords(timelineWords)
  const [asksId, setAsksId] = useState(false)
  const [fault, setFault] = useState(false)
  const write = useWrite(contract.console.settleRun)
  const may = useMay()(contract.console.settleRun)
  const { run_id, answer, state, sent_at, question } = turn
  const known = answer.run.workflow_run_id
  if (!may || turn.entry !== 'workflows.run' || (state !== 'interrupted' && state !== 'unknown')) return null
  const ask = (workflow_run_id?: string) =>
    write.mutate({ params: { run_id }, body: workflow_run_id ? { workflow_run_id } : {} })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const id = Id.safeParse(String(new FormData(event.currentTarget).get('id')).trim())
    setFault(!id.success)
    if (id.success) ask(id.data)
  }
  const problem = write.error?.problem
  const goesOn = write.isSuccess && (write.data.status === 'interrupted' || write.data.status === 'unknown')
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
          {goesOn ? t('stillOpen', { status: answer.run.status ?? t('notGiven') }) : t('askWhy')}
        </span>
      </div>
      {asksId && !known ? (
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
              error={fault ? t('noId') : undefined}
              autoComplete="off"
              spellCheck={false}
            />
            <Button type="submit" variant="default" loading={write.isPending}>
              {t('askForIt')}
            </Button>
          </form>
        </>
      ) : null}
      {problem ? <ProblemNote problem={problem} what={t('askWhat')} {...titleOf(problem.upstream?.status)} /> : null}
    </section>
  )

  function titleOf(status: number | undefined): { title?: string } {
    return status === 404 || (status === 200 && problem?.kind === 'refused') ? { title: t('knowsNoRun') } : {}
  }
}
