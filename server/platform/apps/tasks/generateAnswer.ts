import type { RetrieverResource } from '#contract/platform/schemas.ts'
import { sanitizeInput } from '../../sanitizeInput.ts'
import { toUnixSeconds, type PlatformContext } from '../../platformContext.ts'
import { toErrorBody, PlatformError, toPlatformError } from '../../platformErrors.ts'
import { ModelError, type ModelMessage, type ModelUsage } from '../../model/model.ts'
import { toAnswerUsage } from '../../model/answerUsage.ts'
import type { AnswerWriter } from '../../model/answerWriter.ts'
import { openMessageDraft, type MessageDraft } from './messageDraft.ts'
import type { AnswerMetadata } from '../schema.ts'
import { StoppedError, type Task } from './tasks.ts'

/** Input of an answer: the model's prompt, the extractive alternative, and the cited passages. */
export interface AnswerPlan {
  messages: ModelMessage[]
  extract: () => string
  resources: RetrieverResource[]
  /** An annotation's answer is sent unchanged, without generation. */
  annotation?: { answer: string; reply: AnnotationReply } | undefined
}

type AnnotationReply = NonNullable<AnswerMetadata['annotation_reply']>

export interface AnswerInput {
  context: PlatformContext
  task: Task
  message: { id: string; conversation_id: string | null; created_at: Date }
  writer: AnswerWriter
  plan: (signal: AbortSignal) => Promise<AnswerPlan>
}

/** The blocking reply of operations 14 and 16; a completion has no conversation. `mode` is `chat` for both. */
export interface BlockingAnswer {
  event: 'message'
  task_id: string
  id: string
  message_id: string
  conversation_id?: string
  mode: 'chat'
  answer: string
  metadata: Omit<AnswerMetadata, 'annotation_reply'> & { annotation_reply: AnnotationReply | null }
  created_at: number
}

/** A blocking answer has these fields of upstream's usage, which only streams could measure. */
const UNKNOWN_TIMES = { time_to_first_token: null, time_to_generate: null }

/**
 * Generates the answer of a message: its events go to the task, and the answer into the message's row, which is
 * written before the event that ends the stream.
 * @throws PlatformError with the content of the error event
 */
export async function generateAnswer(input: AnswerInput): Promise<BlockingAnswer> {
  const { context, task, message } = input
  const envelope = {
    message_id: message.id,
    ...(message.conversation_id ? { conversation_id: message.conversation_id } : {}),
    created_at: toUnixSeconds(message.created_at.getTime()),
  }
  const draft = openMessageDraft(context, message.id)
  try {
    const { metadata, stopped } = await writeAnswer(input, draft, { task_id: task.id, ...envelope })
    await draft.finish({ status: stopped ? 'stopped' : 'normal', metadata: sanitizeInput(metadata) as AnswerMetadata })
    task.emit({ event: 'message_end', task_id: task.id, ...envelope, id: message.id, metadata, files: [] })
    return {
      event: 'message',
      task_id: task.id,
      ...envelope,
      id: message.id,
      mode: 'chat',
      answer: draft.text(),
      metadata: { annotation_reply: null, ...metadata, usage: { ...metadata.usage, ...UNKNOWN_TIMES } },
    }
  } catch (error) {
    const platformError = toRunError(error)
    if (platformError.status === 500) context.log.error({ err: error }, 'answer generation failed')
    await draft
      .finish({ status: 'error', error: platformError.message })
      .catch((failure: unknown) => context.log.error({ err: failure }, 'save answer failed'))
    // As upstream, the error event has no task_id.
    task.emit({ event: 'error', ...envelope, ...toErrorBody(platformError) })
    throw platformError
  }
}

/** Writes the text until it is complete or stopped, and returns its usage. */
async function writeAnswer(
  { context, task, message, writer, plan }: AnswerInput,
  draft: MessageDraft,
  envelope: object,
) {
  const startedAt = context.clock()
  const emitPiece = (piece: string) => {
    draft.add(piece)
    task.emit({ event: 'message', ...envelope, id: message.id, answer: piece, from_variable_selector: [] })
  }
  let answerPlan: AnswerPlan | null = null
  let usage: ModelUsage | null = null
  try {
    answerPlan = await plan(task.signal)
    if (answerPlan.annotation) emitPiece(answerPlan.annotation.answer)
    else usage = await writer.write({ ...answerPlan, signal: task.signal, onPiece: emitPiece })
  } catch (error) {
    if (!isUserStop(task.signal)) throw error
  }
  const annotation = answerPlan?.annotation
  const stopped = isUserStop(task.signal)
  // Upstream measures nothing for a stopped answer: it sends zeros, from which a client recognizes the stop.
  const isMeasured = !annotation && !stopped
  const metadata: AnswerMetadata = {
    usage: await toAnswerUsage({
      countTokens: context.countTokens,
      messages: isMeasured ? (answerPlan?.messages ?? []) : [],
      answer: isMeasured ? draft.text() : '',
      reported: isMeasured ? usage : null,
      latency: (context.clock() - startedAt) / 1000,
    }),
    retriever_resources: annotation ? [] : (answerPlan?.resources ?? []),
    reasoning: {},
    model: annotation ? 'annotation' : writer.name,
    ...(annotation ? { annotation_reply: annotation.reply } : {}),
  }
  return { metadata, stopped }
}

/** Stopped by its user or by timeout: the partial answer is final. A shutdown of the platform ends it as an error. */
export const isUserStop = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof StoppedError && reason.by !== 'shutdown'

/** The error of a run as shown to its caller. */
export function toRunError(error: unknown): PlatformError {
  if (error instanceof ModelError) return new PlatformError(400, 'completion_request_error', error.message)
  if (error instanceof StoppedError) return new PlatformError(503, 'service_unavailable', error.message)
  return toPlatformError(error)
}
