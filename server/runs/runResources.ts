import { toAnswerRefs } from '#contract/platform/chat.ts'
import type { ResourceRef } from '#contract/endpoint.ts'
import { type FoldState, getRunIds, isAnswerState } from '../ledger/runStatus.ts'
import type { RunOrder } from './runOrder.ts'
import { truncateText } from '#contract/truncatedText.ts'

/**
 * The resources of a run: its conversation (under its app, titled by its first question until it has a name), message
 * and sources.
 */
export function listRunResources(state: FoldState, order: RunOrder): ResourceRef[] {
  const ids = getRunIds(state)
  const run: ResourceRef[] = ids.workflow_run_id
    ? [{ kind: 'workflow_run', id: ids.workflow_run_id, parent: order.run_id }]
    : []
  if (!isAnswerState(state))
    return [...run, ...(ids.task_id ? [{ kind: 'task' as const, id: ids.task_id, parent: order.run_id }] : [])]
  const isNewConversation = !order.body.conversation_id
  return [
    ...run,
    ...toAnswerRefs({ ...ids, metadata: { retriever_resources: state.sources } }).map((named) =>
      named.kind === 'conversation'
        ? {
            ...named,
            parent: order.credential.key_id,
            ...(isNewConversation ? { label: truncateText(String(order.body.query), 80) } : {}),
          }
        : named,
    ),
  ]
}
