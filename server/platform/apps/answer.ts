import type { RetrieverResource } from '#contract/shapes.ts'
import { clean } from '../clean.ts'
import { seconds, type PlatformContext } from '../context.ts'
import { errorBody, PlatformError, refusalOf } from '../errors.ts'
import { ModelFailure, type ModelMessage, type ModelUsage } from '../model/model.ts'
import { usageOf } from '../model/usage.ts'
import type { Writer } from '../model/writer.ts'
import { openDraft, type Draft } from './draft.ts'
import type { AnswerMetadata } from './schema.ts'
import { Stopped, type Task } from './tasks.ts'

/** What an answer is made from: what a model is told, how it is extracted without one, and what stands behind it. */
export interface Plan {
  messages: ModelMessage[]
  extract: () => string
  resources: RetrieverResource[]
  /** An annotation's answer goes out as it is, and nothing is generated. */
  annotation?: { answer: string; reply: NonNullable<AnswerMetadata['annotation_reply']> } | undefined
}

export interface Answering {
  context: PlatformContext
  task: Task
  message: { id: string; conversation_id: string | null; created_at: Date }
  writer: Writer
  plan: (signal: AbortSignal) => Promise<Plan>
}

/** The blocking reply of operations 14 and 16; a completion has no conversation. `mode` is `chat` for both. */
export interface AnswerBody {
  event: 'message'
  task_id: string
  id: string
  message_id: string
  conversation_id?: string
  mode: 'chat'
  answer: string
  metadata: AnswerMetadata
  created_at: number
}

/**
 * Answers a message: the events of "4.3" of the upstream facts go to the task, the answer into the message's row, which
 * is written before the event that ends the stream.
 * @throws PlatformError with what the error event says
 */
export async function answerMessage(answering: Answering): Promise<AnswerBody> {
  const { context, task, message } = answering
  const envelope = {
    message_id: message.id,
    ...(message.conversation_id ? { conversation_id: message.conversation_id } : {}),
    created_at: seconds(message.created_at.getTime()),
  }
  const draft = openDraft(context, message.id)
  try {
    const { metadata, stopped } = await write(answering, draft, { task_id: task.id, ...envelope })
    await draft.settle({ status: stopped ? 'stopped' : 'normal', metadata: clean(metadata) as AnswerMetadata })
    task.emit({ event: 'message_end', task_id: task.id, ...envelope, id: message.id, metadata, files: null })
    return {
      event: 'message',
      task_id: task.id,
      ...envelope,
      id: message.id,
      mode: 'chat',
      answer: draft.text(),
      metadata,
    }
  } catch (error) {
    const refusal = refusalOfRun(error)
    if (refusal.status === 500) context.log.error({ err: error }, 'answer')
    await draft
      .settle({ status: 'error', error: refusal.message })
      .catch((failure: unknown) => context.log.error({ err: failure }, 'answer'))
    // The error event has no task_id ("4.2" of the upstream facts).
    task.emit({ event: 'error', ...envelope, ...errorBody(refusal) })
    throw refusal
  }
}

/** Writes the text, to its end or until it is stopped, and says what it took. */
async function write({ context, task, message, writer, plan }: Answering, draft: Draft, envelope: object) {
  const began = context.clock()
  const say = (piece: string) => {
    draft.add(piece)
    task.emit({ event: 'message', ...envelope, id: message.id, answer: piece, from_variable_selector: null })
  }
  let planned: Plan | null = null
  let used: ModelUsage | null = null
  try {
    planned = await plan(task.signal)
    if (planned.annotation) say(planned.annotation.answer)
    else used = await writer.write({ ...planned, signal: task.signal, onPiece: say })
  } catch (error) {
    if (!isStop(task.signal)) throw error
  }
  const annotation = planned?.annotation
  const metadata: AnswerMetadata = {
    usage: await usageOf({
      countTokens: context.countTokens,
      messages: annotation ? [] : (planned?.messages ?? []),
      answer: annotation ? '' : draft.text(),
      said: used,
      latency: (context.clock() - began) / 1000,
    }),
    retriever_resources: annotation ? [] : (planned?.resources ?? []),
    model: annotation ? 'annotation' : writer.name,
    ...(annotation ? { annotation_reply: annotation.reply } : {}),
  }
  return { metadata, stopped: isStop(task.signal) }
}

/** Ended by its user or by the clock: what was said stands. A platform that goes down ends it as an error. */
const isStop = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof Stopped && reason.by !== 'shutdown'

/** What went wrong in a run, as its caller is told. */
export function refusalOfRun(error: unknown): PlatformError {
  if (error instanceof ModelFailure) return new PlatformError(400, 'completion_request_error', error.message)
  if (error instanceof Stopped) return new PlatformError(503, 'service_unavailable', error.message)
  return refusalOf(error)
}
