import { z } from 'zod'
import { Conversation, nameConversation } from '../chat.ts'
import { endpoint, Id, type Named } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { Done, Gone } from './shared.ts'

/** A question of a conversation with its answer. Prices are decimal strings, latency seconds. */
export const Message = shape.record(
  { id: shape.text },
  {
    conversation_id: shape.text,
    parent_message_id: shape.text,
    inputs: shape.object,
    query: shape.text,
    answer: shape.text,
    message_tokens: z.number(),
    answer_tokens: z.number(),
    status: shape.word('normal', 'error'),
    error: shape.text,
    message_files: z.array(shape.object),
    feedback: shape.record({}, { rating: shape.word('like', 'dislike') }),
    retriever_resources: z.array(shape.RetrieverResource),
    agent_thoughts: z.array(shape.object),
    created_at: shape.timestamp,
    provider_response_latency: z.number(),
    total_price: z.union([shape.text, z.number()]),
    currency: shape.text,
  },
)

/** A person’s word on an answer; a `rating` of null takes it back. */
export const Feedback = z.strictObject({
  rating: z.enum(['like', 'dislike']).nullable(),
  user: shape.User,
  content: z.string().max(100_000).nullish(),
})

export const messages = {
  /** Lists the conversations of a user, by a cursor: `last_id` is the last id of the page before. */
  listConversations: endpoint({
    method: 'GET',
    path: '/conversations',
    key: 'chat',
    permission: 'read',
    query: z.strictObject({
      user: shape.User.optional(),
      last_id: Id.optional(),
      limit: shape.limit,
      sort_by: z.enum(['created_at', '-created_at', 'updated_at', '-updated_at']).optional(),
    }),
    reply: shape.list(Conversation),
    names: (reply) => reply.data.map(nameConversation),
    shows: ['conversations'],
    adjacent: true,
  }),
  /** Deletes a conversation; the user stands in the body of the DELETE. */
  deleteConversation: endpoint({
    method: 'DELETE',
    path: '/conversations/:conversation_id',
    key: 'chat',
    permission: 'run',
    body: z.strictObject({ user: shape.User }),
    reply: Gone,
    touches: ['conversations'],
    adjacent: true,
  }),
  /** Lists the messages of a conversation, going back in time: `first_id` is the first id of the page before. */
  listMessages: endpoint({
    method: 'GET',
    path: '/messages',
    key: 'chat',
    permission: 'read',
    query: z.strictObject({
      conversation_id: Id,
      user: shape.User.optional(),
      first_id: Id.optional(),
      limit: shape.limit,
    }),
    reply: shape.list(Message),
    names: (reply) => reply.data.map(nameMessage),
    shows: ['conversations'],
    adjacent: true,
  }),
  /** Gives the questions that the application suggests after an answer. */
  suggestedQuestions: endpoint({
    method: 'GET',
    path: '/messages/:message_id/suggested',
    key: 'chat',
    permission: 'read',
    query: z.strictObject({ user: shape.User }),
    reply: shape.record({}, { result: shape.text, data: z.array(shape.text) }),
    adjacent: true,
  }),
  /** Rates an answer, or takes the rating back. */
  feedback: endpoint({
    method: 'POST',
    path: '/messages/:message_id/feedbacks',
    key: 'app',
    permission: 'run',
    body: Feedback,
    reply: Done,
    touches: ['conversations'],
    adjacent: true,
  }),
}

function nameMessage(message: z.output<typeof Message>): Named {
  return {
    kind: 'message',
    id: message.id,
    label: message.query?.slice(0, 80),
    parent: message.conversation_id,
    payload: message,
  }
}
