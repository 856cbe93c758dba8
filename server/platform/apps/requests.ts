import { z } from 'zod'
import { chat, ChatRequest } from '#contract/chat.ts'
import { completion, CompletionRequest } from '#contract/completion.ts'
import { Id } from '#contract/endpoint.ts'
import { ResponseMode, User } from '#contract/shapes.ts'
import { workflows, WorkflowRunRequest } from '#contract/workflows.ts'

/**
 * The generating entries as this platform takes them: what the interface document and upstream's clients send. A
 * `response_mode` that is left out is streaming, as the interface says of operation 14.
 */
const response_mode = ResponseMode.default('streaming')

/** Upstream's clients send an empty or blank id for a new conversation. */
const conversation_id = z.preprocess(
  (value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value),
  Id.optional(),
)

export const sendChat = { ...chat.send, body: ChatRequest.extend({ conversation_id }) }

/** `query` is upstream's older field beside the inputs. */
export const sendCompletion = {
  ...completion.send,
  body: CompletionRequest.extend({ response_mode, query: z.string().max(200_000).optional() }),
}

export const runWorkflow = { ...workflows.run, body: WorkflowRunRequest.extend({ response_mode }) }

/** A `name` beside `auto_generate` is ignored, whatever it is. */
export const renameConversation = {
  ...chat.rename,
  body: z
    .object({ user: User, name: z.string().max(255).nullish(), auto_generate: z.boolean().nullish() })
    .refine(({ name, auto_generate }) => auto_generate || name?.trim(), {
      path: ['name'],
      message: 'is required unless auto_generate is true',
    }),
}
