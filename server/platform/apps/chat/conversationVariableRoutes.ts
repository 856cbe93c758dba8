import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { toUnixSeconds, type PlatformContext } from '../../platformContext.ts'
import { PlatformError, toInvalidParamError, toNotFoundError } from '../../platformErrors.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { findChatflow } from '../appCatalogue.ts'
import { isAfterRow, toCursorPage, toOrderBy } from '../cursorPaging.ts'
import { conversationVariables as variables } from '../schema.ts'
import { fitsVariable, loadConversationVariables } from './conversationVariables.ts'
import { findConversation, toEndUser } from './conversations.ts'

export function registerConversationVariableRoutes(app: FastifyInstance, context: PlatformContext): void {
  const { db } = context.database

  registerPlatformEndpoint(app, optionalEndpoints.listConversationVariables, async ({ caller, params, query }) => {
    const { id } = await findConversation(context, toEndUser(caller, query.user), params.conversation_id)
    const chatflow = findChatflow(caller)
    if (chatflow) await loadConversationVariables(context, chatflow, id)
    const order = { by: variables.created_at, id: variables.id, newestFirst: false }
    const last = query.last_id ? await findVariable(id, query.last_id) : null
    const rows = await db
      .select()
      .from(variables)
      .where(
        and(
          eq(variables.conversation_id, id),
          query.variable_name ? eq(variables.name, query.variable_name) : undefined,
          last ? isAfterRow(order, { at: last.created_at, id: last.id }) : undefined,
        ),
      )
      .orderBy(...toOrderBy(order))
      .limit(query.limit + 1)
    const page = toCursorPage(rows, query.limit)
    return { limit: query.limit, has_more: page.has_more, data: page.rows.map(toConversationVariable) }
  })

  registerPlatformEndpoint(app, optionalEndpoints.updateConversationVariable, async ({ caller, params, body }) => {
    const { id } = await findConversation(context, toEndUser(caller, body.user), params.conversation_id)
    const { value_type, id: variable_id } = await findVariable(id, params.variable_id)
    if (body.value === undefined) throw toInvalidParamError('value is required')
    if (!fitsVariable(value_type, body.value))
      throw new PlatformError(400, 'bad_request', `value must be of the type ${value_type}, as the variable.`)
    const [updated] = await db
      .update(variables)
      .set({ value: body.value, updated_at: new Date(context.clock()) })
      .where(eq(variables.id, variable_id))
      .returning()
    if (!updated) throw toNotFoundError('Conversation variable')
    return toConversationVariable(updated)
  })

  async function findVariable(conversation_id: string, id: string) {
    const [variable] = await db
      .select()
      .from(variables)
      .where(and(eq(variables.id, id), eq(variables.conversation_id, conversation_id)))
    if (!variable) throw toNotFoundError('Conversation variable')
    return variable
  }
}

const toConversationVariable = (variable: typeof variables.$inferSelect) => ({
  id: variable.id,
  name: variable.name,
  value_type: variable.value_type,
  value: variable.value,
  description: variable.description,
  created_at: toUnixSeconds(variable.created_at.getTime()),
  updated_at: toUnixSeconds(variable.updated_at.getTime()),
})
