import { z } from 'zod'
import { AnswerMessage, toAnswerRefs } from './chat.ts'
import { endpoint } from '../endpoint.ts'
import * as shape from './schemas.ts'

/** Body of operation 16. At least one input is required; only images are supported in `files`. */
export const CompletionRequest = z.strictObject({
  inputs: shape.objectField.refine((inputs) => Object.keys(inputs).length > 0, {
    message: 'must have at least one key/value pair',
  }),
  response_mode: shape.ResponseMode,
  user: shape.EndUser,
  files: z.array(shape.FileInput).optional(),
})

export const completionEndpoints = {
  /** Operation 16: sends a message to a text-generation application. */
  send: endpoint({
    method: 'POST',
    path: '/completion-messages',
    key: 'completion',
    permission: 'run',
    body: CompletionRequest,
    reply: AnswerMessage,
    events: 'answer',
    resources: toAnswerRefs,
    invalidates: ['runs'],
  }),
}
