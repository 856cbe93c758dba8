import { nameAnswer } from '#contract/chat.ts'
import type { Named } from '#contract/endpoint.ts'
import { type FoldState, idsOf, isAnswer } from './outcome.ts'
import type { RunOrder } from './runner.ts'

/** What a run has named: its conversation (under its app, called by its first question until it has a name), message, sources. */
export function namedBy(state: FoldState, order: RunOrder): Named[] {
  const ids = idsOf(state)
  const run: Named[] = ids.workflow_run_id
    ? [{ kind: 'workflow_run', id: ids.workflow_run_id, parent: order.run_id }]
    : []
  if (!isAnswer(state))
    return [...run, ...(ids.task_id ? [{ kind: 'task' as const, id: ids.task_id, parent: order.run_id }] : [])]
  const fresh = !order.body.conversation_id
  return [
    ...run,
    ...nameAnswer({ ...ids, metadata: { retriever_resources: state.sources } }).map((named) =>
      named.kind === 'conversation'
        ? {
            ...named,
            parent: order.credential.key_id,
            ...(fresh ? { label: String(order.body.query).slice(0, 80) } : {}),
          }
        : named,
    ),
  ]
}
