import type { ReactNode } from 'react'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { listPendingForms } from '#domain/workflowRun/runForms.ts'
import { maskFormTokens } from '#domain/workflowRun/formTokens.ts'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { timelineMessages } from '../timeline/messages.ts'
import classes from './WorkflowStatusNote.module.css'

/** Statuses that need no explanation. */
const COMMON_STATUSES = ['running', 'succeeded', 'failed', 'stopped']

/** Explains an uncommon status of a workflow. `hasForms`: the forms of a paused one are shown beside it. */
export function WorkflowStatusNote({ run, hasForms = false }: { run: RunState; hasForms?: boolean }) {
  const t = useMessages(timelineMessages)
  const { status, paused, nodes, forms } = run
  if (status === null || COMMON_STATUSES.includes(status)) return null
  if (hasForms && listPendingForms(run).length > 0) return null
  const reasons = paused ? maskFormTokens({ ...paused, ...(forms.length > 0 ? { forms } : {}) }) : null
  return (
    <section className={classes.word} role="status">
      <p>
        <StatusBadge status={status} />{' '}
        {status === 'paused'
          ? t('paused')
          : status === 'partial-succeeded'
            ? getPartialText()
            : t.rich('platformStatus', { status, code: (words: ReactNode) => <code>{words}</code> })}
      </p>
      {reasons ? <RawJson value={reasons} label={t('pausedWhy')} /> : null}
    </section>
  )

  /** Nodes, not tries: `exceptions_count` counts each try of a node. */
  function getPartialText(): string {
    const failed = nodes.filter((node) => node.kind === 'node' && ['exception', 'failed'].includes(node.status))
    return failed.length === 0 ? t('partialUncounted') : t('partial', { count: failed.length })
  }
}
