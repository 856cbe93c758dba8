import type { ReactNode } from 'react'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { timelineMessages } from '../timeline/messages.ts'
import classes from './WorkflowStatusNote.module.css'

/** Statuses that need no explanation. */
const COMMON_STATUSES = ['running', 'succeeded', 'failed', 'stopped']

/** Explains an uncommon status of a workflow. */
export function WorkflowStatusNote({ run }: { run: RunState }) {
  const t = useMessages(timelineMessages)
  const { status, paused, exceptions_count, forms } = run
  if (status === null || COMMON_STATUSES.includes(status)) return null
  return (
    <section className={classes.word} role="status">
      <p>
        <StatusBadge status={status} />{' '}
        {status === 'paused'
          ? t('paused')
          : status === 'partial-succeeded'
            ? t('partial', { count: exceptions_count ?? 0 })
            : t.rich('platformStatus', { status, code: (words: ReactNode) => <code>{words}</code> })}
      </p>
      {paused ? <RawJson value={{ ...paused, ...(forms.length > 0 ? { forms } : {}) }} label={t('pausedWhy')} /> : null}
    </section>
  )
}
