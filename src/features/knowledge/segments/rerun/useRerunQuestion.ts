import { useState } from 'react'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { type AnswerState, emptyAnswer } from '#domain/answer/answerState.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { useRead } from '../../../../client/query.ts'
import { usePermission } from '../../../../client/usePermission.ts'
import { runStore, useRun } from '../../../../client/useRun.ts'

/** The question of an answer that led to a chunk, and the answer when it is asked again. */
export function useRerunQuestion(run_id: string | undefined) {
  const [rerun, setRerun] = useState<{ of: string; id: string } | null>(null)
  const can = usePermission()
  const before = useRead(runEndpoints.readRun, { params: { run_id: run_id ?? '' } }, { enabled: run_id !== undefined })
  const rerunId = rerun && rerun.of === run_id ? rerun.id : null
  const view = useRun(chatEndpoints.send, rerunId, rerunId !== null)
  const run = run_id === undefined ? undefined : before.data
  const body = asRecord(run?.request)
  const canAsk = run?.entry === 'chat.send' && body !== null && can(chatEndpoints.send)
  const isFinished = view !== null && view.phase !== 'watching'
  const ask = () => {
    if (!run || run_id === undefined) return
    // A conversation would remember the first answer, so the question stands alone.
    const question = chatEndpoints.send.body.parse({ ...body, conversation_id: '' })
    setRerun({ of: run_id, id: runStore.start(chatEndpoints.send, { key: run.key, body: question, parent: run_id }) })
  }
  return {
    run,
    problem: before.error?.problem ?? null,
    retry: () => void before.refetch(),
    first: { ...emptyAnswer, ...(run?.answer as AnswerState | null | undefined) },
    /** Null before it was asked again. */
    view,
    isFinished,
    isAsking: rerunId !== null && !isFinished,
    /** Null where the question cannot be asked again from here. */
    ask: canAsk ? ask : null,
  }
}
