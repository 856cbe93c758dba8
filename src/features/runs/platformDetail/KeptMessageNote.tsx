import type { ReactNode } from 'react'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { runMessages } from '../detail/messages.ts'
import type { Turn } from '../turn.ts'
import classes from './WorkflowStatusNote.module.css'

/** The newest messages of the conversation that are searched for that of the turn: a page of the platform. */
const MAX_MESSAGES = 100

/** What the platform keeps of an answer whose stream broke off, or of a stopped agent; nothing for other turns. */
export function KeptMessageNote({ turn, app }: { turn: Turn; app: Key }) {
  const t = useMessages(runMessages)
  const { answer, state, entry, question } = turn
  const { conversation_id, message_id } = answer
  const isBroken = entry === 'chat.send' && state === 'interrupted' && conversation_id !== null && message_id !== null
  const isEnabled = isBroken && app.offers.includes('listMessages')
  const { data, error, refetch } = useRead(
    optionalMessageEndpoints.listMessages,
    {
      key: app.id,
      query: { conversation_id: conversation_id ?? '', user: question.user || undefined, limit: MAX_MESSAGES },
    },
    { enabled: isEnabled },
  )
  if (state === 'stopped' && answer.by_agent && answer.text !== '')
    return (
      <section className={classes.word} role="note">
        <p>{t('keepsNoAgentText')}</p>
      </section>
    )
  if (!isEnabled) return null
  if (error && !data)
    return <ProblemAlert problem={error.problem} action={t('loadKept')} onRetry={() => void refetch()} />
  if (!data) return null
  const message = data.data.find(({ id }) => id === message_id)
  const text = message?.answer ?? ''
  return (
    <section className={classes.word} role="note">
      <p>{getNote()}</p>
      {text.trim() === '' ? null : (
        <details>
          <summary>{t('keptText')}</summary>
          <p dir="auto" className={classes.kept}>
            {text}
          </p>
        </details>
      )}
    </section>
  )

  function getNote(): ReactNode {
    if (!message) return t('keepsNone')
    if (message.error) return t('keepsError', { error: message.error })
    if (text.trim() === '') return t.rich('keepsEmpty', { b: bold })
    // A stopped answer is kept as far as it came.
    const isComplete = text.trim().length >= answer.text.trim().length
    return t.rich(isComplete ? 'keepsComplete' : 'keepsShorter', { b: bold, count: text.length })
  }
}

const bold = (words: ReactNode) => <b>{words}</b>
