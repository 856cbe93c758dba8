import { asRecord } from '#domain/stream/untrustedJson.ts'
import { asc, eq } from 'drizzle-orm'
import type { PlatformContext } from '../../platformContext.ts'
import { sanitizeInput } from '../../sanitizeInput.ts'
import { NodeError, type VariableAssignment } from '../../workflow/nodeScope.ts'
import type { ConversationVariableType, Workflow } from '../../workflow/workflowGraph.ts'
import { conversationVariables } from '../schema.ts'
import { isNumeric } from '#domain/losslessJson.ts'

export interface ConversationVariables {
  /** The current values by name; `assign` keeps them current. */
  values: Record<string, unknown>
  /** @throws NodeError if the value does not fit the variable */
  assign: (assignment: VariableAssignment) => Promise<unknown>
}

/** Reads the variables of a conversation; those that its application has and it has not yet are created. */
export async function loadConversationVariables(
  { database, clock }: PlatformContext,
  { conversation_variables: definitions }: Workflow,
  conversation_id: string,
): Promise<ConversationVariables> {
  const { db } = database
  const now = new Date(clock())
  const times = { created_at: now, updated_at: now }
  if (definitions.length > 0)
    await db
      .insert(conversationVariables)
      .values(definitions.map((definition) => ({ ...definition, id: crypto.randomUUID(), conversation_id, ...times })))
      .onConflictDoNothing()
  const rows = await db
    .select()
    .from(conversationVariables)
    .where(eq(conversationVariables.conversation_id, conversation_id))
    .orderBy(asc(conversationVariables.name))
  const values: Record<string, unknown> = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  return {
    values,
    async assign({ variable, operation, value }) {
      const row = rows.find(({ name }) => name === variable)
      if (!row) throw new NodeError(`${variable} is no variable of this conversation.`)
      const current = values[variable]
      const list = operation === 'append' && Array.isArray(current) ? [...(current as unknown[]), value] : null
      const assigned = operation === 'clear' ? EMPTY_VALUES[row.value_type] : (list ?? value)
      if (!fitsVariable(row.value_type, assigned))
        throw new NodeError(`${variable} is of type ${row.value_type}, and the value is not.`)
      const stored = sanitizeInput(assigned)
      await db
        .update(conversationVariables)
        .set({ value: stored, updated_at: new Date(clock()) })
        .where(eq(conversationVariables.id, row.id))
      values[variable] = stored
      return stored
    },
  }
}

const EMPTY_VALUES: Record<ConversationVariableType, unknown> = {
  string: '',
  number: 0,
  boolean: false,
  object: {},
  'array[string]': [],
}

export function fitsVariable(value_type: ConversationVariableType, value: unknown): boolean {
  switch (value_type) {
    case 'object':
      return asRecord(value) !== null
    case 'number':
      return isNumeric(value)
    case 'array[string]':
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
    default:
      return typeof value === value_type
  }
}
