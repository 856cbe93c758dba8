import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { seconds, type PlatformContext } from '../context.ts'
import { invalidParam, notFound, PlatformError } from '../errors.ts'
import { route } from '../route.ts'
import { conversationItem, findConversation, readerOf, type Message, type Reader } from './conversations.ts'
import { behind, orderOf, pageOf } from './paging.ts'
import { conversations, messages } from './schema.ts'

/** What was said before: conversations, their messages, and what people thought of the answers. */
export function history(app: FastifyInstance, context: PlatformContext): void {
  const { db } = context.database

  route(app, adjacent.listConversations, async ({ caller, query }) => {
    const reader = readerOf(caller, query.user)
    const sort = query.sort_by ?? '-updated_at'
    const column = sort.endsWith('created_at') ? 'created_at' : 'updated_at'
    const order = { by: conversations[column], id: conversations.id, newestFirst: sort.startsWith('-') }
    const last = query.last_id ? await findConversation(context, reader, query.last_id) : null
    const rows = await db
      .select()
      .from(conversations)
      .where(
        and(
          eq(conversations.app, reader.app),
          eq(conversations.end_user, reader.user),
          last ? behind(order, { at: last[column], id: last.id }) : undefined,
        ),
      )
      .orderBy(...orderOf(order))
      .limit(query.limit + 1)
    const page = pageOf(rows, query.limit)
    return { data: page.rows.map(conversationItem), has_more: page.has_more, limit: query.limit }
  })

  route(app, adjacent.deleteConversation, async ({ caller, params, body }) => {
    const conversation = await findConversation(context, readerOf(caller, body.user), params.conversation_id)
    await db.delete(conversations).where(eq(conversations.id, conversation.id))
  })

  route(app, adjacent.listMessages, async ({ caller, query }) => {
    const reader = readerOf(caller, query.user)
    const conversation = await findConversation(context, reader, query.conversation_id)
    const order = { by: messages.created_at, id: messages.id, newestFirst: true }
    const first = query.first_id ? await findMessage(reader, query.first_id, conversation.id) : null
    const rows = await db
      .select()
      .from(messages)
      .where(
        and(
          eq(messages.conversation_id, conversation.id),
          first ? behind(order, { at: first.created_at, id: first.id }) : undefined,
        ),
      )
      .orderBy(...orderOf(order))
      .limit(query.limit + 1)
    const page = pageOf(rows, query.limit)
    return { data: page.rows.reverse().map(messageItem), has_more: page.has_more, limit: query.limit }
  })

  route(app, adjacent.suggestedQuestions, async ({ caller, params, query }) => {
    await findMessage(readerOf(caller, query.user), params.message_id)
    throw new PlatformError(400, 'bad_request', 'The application suggests no questions.')
  })

  route(app, adjacent.feedback, async ({ caller, params, body }) => {
    const message = await findMessage(readerOf(caller, body.user), params.message_id)
    if (body.rating === null && message.feedback === null)
      throw invalidParam('rating is null, but there is none to revoke')
    await db
      .update(messages)
      .set({ feedback: body.rating, feedback_content: body.rating ? (body.content ?? null) : null })
      .where(eq(messages.id, message.id))
    return { result: 'success' }
  })

  async function findMessage(reader: Reader, id: string, conversation_id?: string) {
    const [message] = await db
      .select()
      .from(messages)
      .where(and(eq(messages.id, id), eq(messages.app, reader.app), eq(messages.end_user, reader.user)))
    if (!message || (conversation_id && message.conversation_id !== conversation_id)) throw notFound('Message')
    return message
  }
}

function messageItem(message: Message) {
  const { id, conversation_id, parent_message_id, inputs, query, answer, status, error, metadata, feedback } = message
  const usage = metadata?.usage
  return {
    id,
    conversation_id,
    parent_message_id,
    inputs,
    query,
    answer,
    status: status === 'error' ? 'error' : 'normal',
    error,
    message_files: message.files.map((file) => ({ ...file, belongs_to: 'user' })),
    feedback: feedback ? { rating: feedback } : null,
    retriever_resources: metadata?.retriever_resources ?? [],
    agent_thoughts: [],
    created_at: seconds(message.created_at.getTime()),
    message_tokens: usage?.prompt_tokens ?? 0,
    answer_tokens: usage?.completion_tokens ?? 0,
    total_price: usage?.total_price ?? null,
    currency: usage?.currency ?? null,
    provider_response_latency: usage?.latency ?? 0,
  }
}
