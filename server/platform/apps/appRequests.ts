import { z } from 'zod'
import { chatEndpoints, ChatRequest } from '#contract/platform/chat.ts'
import { completionEndpoints, CompletionRequest } from '#contract/platform/completion.ts'
import { Id } from '#contract/endpoint.ts'
import { ResponseMode, EndUser, intParam } from '#contract/platform/schemas.ts'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { workflowEndpoints, WorkflowRunRequest } from '#contract/platform/workflows.ts'

/**
 * Requests of the generating entries as this platform accepts them: those of the interface document and of upstream's
 * clients. Where the document requires `response_mode` (operations 11 and 16), a request without it is blocking, as
 * in upstream.
 */
const response_mode = ResponseMode.default('blocking')

/** Upstream's clients send an empty or blank id for a new conversation. */
const conversation_id = z.preprocess(
  (value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value),
  Id.optional(),
)

export const sendChatEntry = { ...chatEndpoints.send, body: ChatRequest.extend({ conversation_id }) }

/** `query` is upstream's older field next to the inputs. */
export const sendCompletionEntry = {
  ...completionEndpoints.send,
  body: CompletionRequest.extend({ response_mode, query: z.string().max(200_000).optional() }),
}

export const runWorkflowEntry = { ...workflowEndpoints.run, body: WorkflowRunRequest.extend({ response_mode }) }

export const runVersionEntry = {
  ...optionalEndpoints.runVersion,
  body: WorkflowRunRequest.extend({ response_mode }),
}

/** Upstream accepts one more than for its other lists. */
export const listFeedbacksEntry = {
  ...optionalEndpoints.listFeedbacks,
  query: optionalEndpoints.listFeedbacks.query.extend({ limit: intParam(1, 101).default(20) }),
}

/** With `auto_generate`, `name` is ignored. */
export const renameConversationEntry = {
  ...chatEndpoints.rename,
  body: z
    .object({ user: EndUser, name: z.string().max(255).nullish(), auto_generate: z.boolean().nullish() })
    .refine(({ name, auto_generate }) => auto_generate || name?.trim(), {
      path: ['name'],
      message: 'is required unless auto_generate is true',
    }),
}
