import type { Problem } from '#contract/problem.ts'
import { maskFormTokens } from '#domain/workflowRun/formTokens.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Inspector.module.css'
import { runMessages } from '../detail/messages.ts'
import { isTurnOver, type Turn } from '../turn.ts'

/** The blocking reply, if any; `undefined` while loading. */
export interface ReplyRead {
  value: unknown
  problem: Problem | null
  retry: () => void
}

/** The platform's response: the complete reply, the error, or the folded stream. */
export function ReplyTab({ turn, reply }: { turn: Turn; reply: ReplyRead }) {
  const t = useMessages(runMessages)
  const { problem, frames, answer } = turn
  const { upstream } = problem ?? {}
  const label = t('reply')
  if (upstream)
    return (
      <>
        <p className={classes.about}>{t('replyRefused', { status: upstream.status })}</p>
        {typeof upstream.body === 'string' ? (
          <RawJson text={upstream.body} label={label} />
        ) : (
          <RawJson value={upstream.body} label={label} />
        )}
      </>
    )
  if (!isTurnOver(turn)) return <p className={classes.none}>{t(frames > 0 ? 'replyComing' : 'replyMissing')}</p>
  if (frames > 0)
    return (
      <>
        {problem ? <RawJson value={problem} label={t('replyProblem')} /> : null}
        <p className={classes.about}>{t('replyStream', { count: frames })}</p>
        <RawJson value={maskFormTokens(turn.entry === 'workflows.run' ? answer.run : answer)} label={label} />
      </>
    )
  if (reply.value !== undefined && reply.value !== null)
    return (
      <>
        <p className={classes.about}>{t(answer.run.told ? 'replyReported' : 'replyFull')}</p>
        <RawJson value={maskFormTokens(reply.value)} label={label} />
      </>
    )
  if (reply.problem) return <ProblemAlert problem={reply.problem} action={t('readReply')} onRetry={reply.retry} />
  if (!problem) return <p className={classes.none}>{reply.value === undefined ? t('replyMissing') : t('replyNone')}</p>
  return (
    <>
      <p className={classes.about}>{t('replyProblem')}</p>
      <RawJson value={problem} label={label} />
    </>
  )
}
