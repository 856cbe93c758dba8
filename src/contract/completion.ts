import { z } from 'zod'
import { emptyAnswer, foldAnswer } from './answer.ts'
import { AnswerReply, nameAnswer } from './chat.ts'
import { endpoint, events } from './endpoint.ts'
import * as shape from './shapes.ts'

/** Body of operation 16. At least one input is required; only images are supported in `files`. */
export const CompletionRequest = z.strictObject({
  inputs: shape.object.refine((inputs) => Object.keys(inputs).length > 0, {
    message: 'must have at least one key/value pair',
  }),
  response_mode: shape.ResponseMode,
  user: shape.User,
  files: z.array(shape.FileInput).optional(),
})

export const completion = {
  /** Operation 16: sends a message to a text-generation application. */
  send: endpoint({
    method: 'POST',
    path: '/completion-messages',
    key: 'completion',
    permission: 'run',
    body: CompletionRequest,
    reply: AnswerReply,
    events: events(emptyAnswer, foldAnswer),
    names: nameAnswer,
    touches: ['runs'],
  }),
}
