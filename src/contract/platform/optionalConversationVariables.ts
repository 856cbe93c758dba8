import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as shape from './schemas.ts'
import { cursorParam } from './optionalReplies.ts'

/** A value that a conversation with a chatflow keeps between messages. `value` has the type that `value_type` names. */
export const ConversationVariable = shape.looseRecord(
  { id: shape.stringField },
  {
    name: shape.stringField,
    value_type: shape.openEnum(
      'string',
      'number',
      'integer',
      'float',
      'boolean',
      'object',
      'secret',
      'array[string]',
      'array[number]',
      'array[boolean]',
      'array[object]',
      'array[any]',
    ),
    value: z.unknown(),
    description: shape.stringField,
    created_at: shape.timestampField,
    updated_at: shape.timestampField,
  },
)
export type ConversationVariable = z.output<typeof ConversationVariable>

export const optionalConversationVariableEndpoints = {
  /** Lists the variables of a conversation, by a cursor; only chatflows have any. */
  listConversationVariables: endpoint({
    method: 'GET',
    path: '/conversations/:conversation_id/variables',
    key: 'chat',
    permission: 'read',
    query: z.strictObject({
      user: shape.EndUser.optional(),
      last_id: cursorParam,
      limit: shape.limitParam,
      variable_name: z.string().max(255).optional(),
    }),
    reply: shape.pagedList(ConversationVariable),
    tags: ['conversations'],
    optional: true,
  }),
  /** Sets the value of a variable, which must match its type. */
  updateConversationVariable: endpoint({
    method: 'PUT',
    path: '/conversations/:conversation_id/variables/:variable_id',
    key: 'chat',
    permission: 'run',
    body: z.strictObject({ value: z.unknown(), user: shape.EndUser.optional() }),
    reply: ConversationVariable,
    invalidates: ['conversations'],
    optional: true,
  }),
}
