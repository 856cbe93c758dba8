import type { Problem } from '#contract/problem.ts'
import { ProblemNote } from '../ui/ProblemNote.tsx'
import { RawJson } from '../ui/RawJson.tsx'
import { useWords } from '../ui/words.ts'
import classes from './Inspector.module.css'
import { runWords } from './messages.ts'
import { isOver, type Turn } from './turn.ts'

/** A reply that came whole, where there is one; `undefined` while it is being read. */
export interface WholeReply {
  value: unknown
  problem: Problem | null
  retry: () => void
}

/** What the platform answered: the whole reply, the refusal, or what a stream of frames folds into. */
export function ReplyTab({ turn, reply }: { turn: Turn; reply: WholeReply }) {
  const t = useWords(runWords)
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
  if (!isOver(turn)) return <p className={classes.none}>{t(frames > 0 ? 'replyComing' : 'replyMissing')}</p>
  if (frames > 0)
    return (
      <>
        {problem ? <RawJson value={problem} label={t('replyProblem')} /> : null}
        <p className={classes.about}>{t('replyStream', { count: frames })}</p>
        <RawJson value={turn.entry === 'workflows.run' ? answer.run : answer} label={label} />
      </>
    )
  if (reply.value !== undefined && reply.value !== null)
    return (
      <>
        <p className={classes.about}>{t(answer.run.told ? 'replyTold' : 'replyWhole')}</p>
        <RawJson value={reply.value} label={label} />
      </>
    )
  if (reply.problem) return <ProblemNote problem={reply.problem} what={t('readReply')} onRetry={reply.retry} />
  if (!problem) return <p className={classes.none}>{reply.value === undefined ? t('replyMissing') : t('replyNone')}</p>
  return (
    <>
      <p className={classes.about}>{t('replyProblem')}</p>
      <RawJson value={problem} label={label} />
    </>
  )
}
