import { and, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { toUnixSeconds, type PlatformContext } from '../../platformContext.ts'
import { toNotFoundError } from '../../platformErrors.ts'
import type { PlatformKey } from '../../platformKeys.ts'
import { conversations, messages } from '../schema.ts'

export type Conversation = typeof conversations.$inferSelect
export type Message = typeof messages.$inferSelect

/** An end user of an application; conversations belong to both. */
export interface EndUser {
  app: string
  user: string
}

/** Default user of requests without one, as upstream. */
const DEFAULT_USER = 'DEFAULT-USER'

export const toEndUser = ({ app }: PlatformKey, user: string | undefined): EndUser => ({
  app: app ?? '',
  user: user ?? DEFAULT_USER,
})

/** @throws PlatformError 404 if the conversation does not exist or belongs to another user */
export async function findConversation(
  { database }: PlatformContext,
  { app, user }: EndUser,
  id: string,
): Promise<Conversation> {
  const [conversation] = await database.db
    .select()
    .from(conversations)
    .where(and(eq(conversations.id, id), eq(conversations.app, app), eq(conversations.end_user, user)))
  if (!conversation) throw toNotFoundError('Conversation')
  return conversation
}

export const toConversation = ({ id, name, inputs, introduction, created_at, updated_at }: Conversation) => ({
  id,
  name,
  inputs,
  status: 'normal',
  introduction,
  created_at: toUnixSeconds(created_at.getTime()),
  updated_at: toUnixSeconds(updated_at.getTime()),
})

export interface NewMessage {
  task_id: string
  parent_message_id: string | null
  query: string
  inputs: Message['inputs']
  files: Message['files']
}

/** Inserts a question before it is answered, and its conversation if it is the first. */
export async function insertMessage(
  { database, clock }: PlatformContext,
  { app, user }: EndUser,
  newMessage: NewMessage,
  conversation: Conversation | { name: string; introduction: string | null },
): Promise<{ message: Message; conversation: Conversation }> {
  const now = new Date(clock())
  return database.transaction(async (client) => {
    const db = drizzle(client)
    const existing = 'id' in conversation ? conversation : null
    const newConversation = { app, end_user: user, inputs: newMessage.inputs, created_at: now, updated_at: now }
    const [storedConversation] = existing
      ? await db.update(conversations).set({ updated_at: now }).where(eq(conversations.id, existing.id)).returning()
      : await db
          .insert(conversations)
          .values({ id: crypto.randomUUID(), ...conversation, ...newConversation })
          .returning()
    // The conversation may have been deleted since the lookup.
    if (!storedConversation) throw toNotFoundError('Conversation')
    const [message] = await db
      .insert(messages)
      .values({
        id: crypto.randomUUID(),
        app,
        conversation_id: storedConversation.id,
        end_user: user,
        status: 'running',
        created_at: now,
        ...newMessage,
      })
      .returning()
    if (!message) throw new Error('the message was not written')
    return { message, conversation: storedConversation }
  })
}
