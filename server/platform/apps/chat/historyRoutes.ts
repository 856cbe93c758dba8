import { and, asc, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { toUnixSeconds, type PlatformContext } from '../../platformContext.ts'
import { toInvalidParamError, toNotFoundError, PlatformError } from '../../platformErrors.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { toConversation, findConversation, toEndUser, type Message, type EndUser } from './conversations.ts'
import { isAfterRow, toOrderBy, toCursorPage } from '../cursorPaging.ts'
import { toDerivedId, toEndUserId } from '../endUserId.ts'
import type { RecordedFile } from '../files/fileRecord.ts'
import { listFeedbacksEntry } from '../appRequests.ts'
import { toExtraContent } from '../graphRuns/runReplies.ts'
import { conversations, humanInputForms, messages } from '../schema.ts'

export function registerHistoryRoutes(app: FastifyInstance, context: PlatformContext): void {
  const { db } = context.database

  registerPlatformEndpoint(app, optionalEndpoints.listConversations, async ({ caller, query }) => {
    const endUser = toEndUser(caller, query.user)
    const sort = query.sort_by ?? '-updated_at'
    const column = sort.endsWith('created_at') ? 'created_at' : 'updated_at'
    const order = { by: conversations[column], id: conversations.id, newestFirst: sort.startsWith('-') }
    const last = query.last_id ? await findConversation(context, endUser, query.last_id) : null
    const rows = await db
      .select()
      .from(conversations)
      .where(
        and(
          eq(conversations.app, endUser.app),
          eq(conversations.end_user, endUser.user),
          last ? isAfterRow(order, { at: last[column], id: last.id }) : undefined,
        ),
      )
      .orderBy(...toOrderBy(order))
      .limit(query.limit + 1)
    const page = toCursorPage(rows, query.limit)
    return { data: page.rows.map(toConversation), has_more: page.has_more, limit: query.limit }
  })

  registerPlatformEndpoint(app, optionalEndpoints.deleteConversation, async ({ caller, params, body }) => {
    const conversation = await findConversation(context, toEndUser(caller, body.user), params.conversation_id)
    await db.delete(conversations).where(eq(conversations.id, conversation.id))
  })

  registerPlatformEndpoint(app, optionalEndpoints.listMessages, async ({ caller, query, request }) => {
    const endUser = toEndUser(caller, query.user)
    const conversation = await findConversation(context, endUser, query.conversation_id)
    const order = { by: messages.created_at, id: messages.id, newestFirst: true }
    const first = query.first_id ? await findMessage(endUser, query.first_id, conversation.id) : null
    const rows = await db
      .select()
      .from(messages)
      .where(
        and(
          eq(messages.conversation_id, conversation.id),
          first ? isAfterRow(order, { at: first.created_at, id: first.id }) : undefined,
        ),
      )
      .orderBy(...toOrderBy(order))
      .limit(query.limit + 1)
    const page = toCursorPage(rows, query.limit)
    const toUrl = (file_id: string) => context.fileLinks.create(request, file_id)
    const forms = await findForms(page.rows.flatMap(({ workflow_run_id }) => workflow_run_id ?? []))
    return {
      data: page.rows
        .reverse()
        .map((row) =>
          toMessage(
            row,
            toUrl,
            forms.filter((form) => form.workflow_run_id === row.workflow_run_id).map(toExtraContent),
          ),
        ),
      has_more: page.has_more,
      limit: query.limit,
    }
  })

  registerPlatformEndpoint(app, optionalEndpoints.suggestedQuestions, async ({ caller, params, query }) => {
    await findMessage(toEndUser(caller, query.user), params.message_id)
    throw new PlatformError(400, 'bad_request', 'The application suggests no questions.')
  })

  registerPlatformEndpoint(app, optionalEndpoints.feedback, async ({ caller, params, body }) => {
    const message = await findMessage(toEndUser(caller, body.user), params.message_id)
    const rating = body.rating ?? null
    if (rating === null && message.feedback === null)
      throw toInvalidParamError('rating is null, but there is none to revoke')
    await db
      .update(messages)
      .set({
        feedback: rating,
        feedback_content: rating && (body.content ?? null),
        feedback_at: rating && new Date(context.clock()),
      })
      .where(eq(messages.id, message.id))
    return { result: 'success' }
  })

  registerPlatformEndpoint(app, listFeedbacksEntry, async ({ caller, query: { page, limit } }) => {
    const ratedAt = sql`coalesce(${messages.feedback_at}, ${messages.finished_at}, ${messages.created_at})`
    const rows = await db
      .select()
      .from(messages)
      .where(and(eq(messages.app, caller.app ?? ''), isNotNull(messages.feedback)))
      .orderBy(desc(ratedAt), desc(messages.id))
      .limit(limit)
      .offset((page - 1) * limit)
    return { data: rows.map(toFeedback) }
  })

  async function findForms(run_ids: string[]) {
    if (run_ids.length === 0) return []
    return db
      .select()
      .from(humanInputForms)
      .where(inArray(humanInputForms.workflow_run_id, run_ids))
      .orderBy(asc(humanInputForms.created_at))
  }

  async function findMessage(endUser: EndUser, id: string, conversation_id?: string) {
    const [message] = await db
      .select()
      .from(messages)
      .where(and(eq(messages.id, id), eq(messages.app, endUser.app), eq(messages.end_user, endUser.user)))
    if (!message || (conversation_id && message.conversation_id !== conversation_id)) throw toNotFoundError('Message')
    return message
  }
}

/** There is one rating per message, so its id is derived from that of the message. */
function toFeedback(message: Message) {
  const { id, app, conversation_id, feedback, feedback_content, feedback_at, finished_at, created_at } = message
  const time = (feedback_at ?? finished_at ?? created_at).toISOString()
  return {
    id: toDerivedId(`feedback\0${id}`),
    app_id: app,
    conversation_id,
    message_id: id,
    rating: feedback,
    content: feedback_content,
    from_source: 'user',
    from_end_user_id: toEndUserId({ app, user: message.end_user }),
    from_account_id: null,
    created_at: time,
    updated_at: time,
  }
}

/** The parent of a conversation's first message, as upstream. */
const NO_PARENT_ID = '00000000-0000-0000-0000-000000000000'

/** A file of a message; the link to an uploaded one is signed at each read. */
const toMessageFile = (file: RecordedFile, toUrl: (file_id: string) => string) => ({
  id: file.id,
  filename: file.filename,
  type: file.type,
  url: file.upload_file_id ? toUrl(file.upload_file_id) : file.url,
  mime_type: file.mime_type,
  size: file.size,
  transfer_method: file.transfer_method,
  belongs_to: 'user',
  upload_file_id: file.upload_file_id,
})

/** @param toUrl a link to an uploaded file; `extra_contents` are the forms of a chatflow */
function toMessage(message: Message, toUrl: (file_id: string) => string, extra_contents: object[]) {
  const { id, conversation_id, parent_message_id, inputs, query, answer, status, error, metadata, feedback } = message
  const usage = metadata?.usage
  return {
    id,
    conversation_id,
    parent_message_id: parent_message_id ?? NO_PARENT_ID,
    inputs,
    query,
    answer,
    status: status === 'error' || status === 'paused' ? status : 'normal',
    error,
    message_files: message.files.map((file) => toMessageFile(file, toUrl)),
    feedback: feedback ? { rating: feedback } : null,
    retriever_resources: metadata?.retriever_resources ?? [],
    agent_thoughts: [],
    extra_contents,
    created_at: toUnixSeconds(message.created_at.getTime()),
    message_tokens: usage?.prompt_tokens ?? 0,
    answer_tokens: usage?.completion_tokens ?? 0,
    total_tokens: usage?.total_tokens ?? 0,
    total_price: usage?.total_price ?? null,
    currency: usage?.currency ?? null,
    provider_response_latency: usage?.latency ?? 0,
  }
}
