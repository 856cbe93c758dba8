import { z } from 'zod'
import { Conversation, toConversationRef } from './chat.ts'
import { endpoint, Id, type ResourceRef } from '../endpoint.ts'
import * as shape from './schemas.ts'
import { cursorParam, ResultReply, DeleteReply } from './optionalReplies.ts'
import { truncateText } from '../truncatedText.ts'

/** A step of an agent. Agent apps put the text of the step into `answer`, older agents into `thought`. */
export const AgentThought = shape.looseRecord(
  {},
  {
    id: shape.stringField,
    chain_id: shape.stringField,
    message_id: shape.stringField,
    position: shape.integerField,
    thought: shape.stringField,
    answer: shape.sentSince('1.16.1', shape.stringField),
    tool: shape.stringField,
    tool_labels: shape.objectField,
    tool_input: shape.stringField,
    observation: shape.stringField,
    files: z.array(z.unknown()),
    created_at: shape.timestampField,
  },
)
export type AgentThought = z.output<typeof AgentThought>

/** A question of a conversation with its answer. Prices are decimal strings, latency seconds. */
export const Message = shape.looseRecord(
  { id: shape.stringField },
  {
    conversation_id: shape.stringField,
    parent_message_id: shape.stringField,
    inputs: shape.objectField,
    query: shape.stringField,
    answer: shape.stringField,
    message_tokens: shape.sentSince('1.16', z.number()),
    answer_tokens: shape.sentSince('1.16', z.number()),
    status: shape.openEnum('normal', 'error', 'paused'),
    error: shape.stringField,
    message_files: z.array(shape.objectField),
    feedback: shape.looseRecord({}, { rating: shape.openEnum('like', 'dislike') }),
    retriever_resources: z.array(shape.RetrieverResource),
    agent_thoughts: z.array(AgentThought),
    created_at: shape.timestampField,
    provider_response_latency: shape.sentSince('1.16', z.number()),
    total_price: shape.sentSince('1.16', z.union([shape.stringField, z.number()])),
    currency: shape.sentSince('1.16', shape.stringField),
    total_tokens: shape.sentSince('1.16', shape.integerField),
    extra_contents: shape.sentSince('1.16', z.array(shape.objectField)),
  },
)

/** A person’s rating of an answer; null or no `rating` removes it. */
export const MessageFeedback = z.strictObject({
  rating: z.enum(['like', 'dislike']).nullish(),
  user: shape.EndUser,
  content: z.string().max(100_000).nullish(),
})

/** A rating as the operators of an application see it. Times are ISO 8601. */
export const AppFeedback = shape.looseRecord(
  { id: shape.stringField },
  {
    app_id: shape.stringField,
    conversation_id: shape.stringField,
    message_id: shape.stringField,
    rating: shape.openEnum('like', 'dislike'),
    content: shape.stringField,
    from_source: shape.openEnum('user', 'admin'),
    from_end_user_id: shape.stringField,
    from_account_id: shape.stringField,
    created_at: shape.stringField,
    updated_at: shape.stringField,
  },
)
export type AppFeedback = z.output<typeof AppFeedback>

export const optionalMessageEndpoints = {
  /** Lists the conversations of a user, by a cursor: `last_id` is the last id of the previous page. */
  listConversations: endpoint({
    method: 'GET',
    path: '/conversations',
    key: 'chat',
    permission: 'read',
    query: z.strictObject({
      user: shape.EndUser.optional(),
      last_id: cursorParam,
      limit: shape.limitParam,
      sort_by: z.enum(['created_at', '-created_at', 'updated_at', '-updated_at']).optional(),
    }),
    reply: shape.pagedList(Conversation),
    resources: (reply) => reply.data.map(toConversationRef),
    tags: ['conversations'],
    optional: true,
  }),
  /** Deletes a conversation; the user is in the body of the DELETE. */
  deleteConversation: endpoint({
    method: 'DELETE',
    path: '/conversations/:conversation_id',
    key: 'chat',
    permission: 'run',
    body: z.strictObject({ user: shape.EndUser }),
    reply: DeleteReply,
    invalidates: ['conversations'],
    optional: true,
  }),
  /** Lists the messages of a conversation, going back in time: `first_id` is the first id of the previous page. */
  listMessages: endpoint({
    method: 'GET',
    path: '/messages',
    key: 'chat',
    permission: 'read',
    query: z.strictObject({
      conversation_id: Id,
      user: shape.EndUser.optional(),
      first_id: cursorParam,
      limit: shape.limitParam,
    }),
    reply: shape.pagedList(Message),
    resources: (reply) => reply.data.map(toMessageRef),
    tags: ['conversations'],
    optional: true,
  }),
  suggestedQuestions: endpoint({
    method: 'GET',
    path: '/messages/:message_id/suggested',
    key: 'chat',
    permission: 'read',
    query: z.strictObject({ user: shape.EndUser }),
    reply: shape.looseRecord({}, { result: shape.stringField, data: z.array(shape.stringField) }),
    optional: true,
  }),
  feedback: endpoint({
    method: 'POST',
    path: '/messages/:message_id/feedbacks',
    key: 'app',
    permission: 'run',
    body: MessageFeedback,
    reply: ResultReply,
    invalidates: ['conversations'],
    optional: true,
  }),
  /** Lists the ratings of an application's answers, newest first. */
  listFeedbacks: endpoint({
    method: 'GET',
    path: '/app/feedbacks',
    key: 'app',
    permission: 'read',
    query: z.strictObject({ page: shape.pageParam, limit: shape.limitParam }),
    reply: shape.looseRecord({ data: z.array(AppFeedback) }, {}),
    resources: (reply) =>
      reply.data.flatMap(({ message_id, conversation_id }) =>
        message_id ? [{ kind: 'message' as const, id: message_id, parent: conversation_id }] : [],
      ),
    tags: ['conversations'],
    optional: true,
  }),
}

function toMessageRef(message: z.output<typeof Message>): ResourceRef {
  return {
    kind: 'message',
    id: message.id,
    label: message.query && truncateText(message.query, 80),
    parent: message.conversation_id,
    payload: message,
  }
}
