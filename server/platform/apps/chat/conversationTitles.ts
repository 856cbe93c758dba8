import { and, asc, eq } from 'drizzle-orm'
import type { PlatformContext } from '../../platformContext.ts'
import { toInvalidParamError } from '../../platformErrors.ts'
import { titleFromModelText, titleFromQuestion } from '../../model/conversationTitle.ts'
import type { Conversation } from './conversations.ts'
import { StoppedError } from '../tasks/tasks.ts'
import { conversations, messages } from '../schema.ts'

export const UNTITLED = 'New conversation'
/** Maximum characters of the first turn in the model's prompt. */
const MAX_PROMPT_CHARS = 2000

/** Sets the title of a conversation; with `former` only while that is its title. */
export async function renameConversation(
  { database, clock }: PlatformContext,
  id: string,
  name: string,
  former?: string,
) {
  const [renamed] = await database.db
    .update(conversations)
    .set({ name, updated_at: new Date(clock()) })
    .where(and(eq(conversations.id, id), former === undefined ? undefined : eq(conversations.name, former)))
    .returning()
  return renamed
}

/**
 * A title from the first turn: by the model if there is one, else from the question.
 * @throws PlatformError 400 while the conversation has no message
 */
export async function generateTitle(
  context: PlatformContext,
  { id }: Conversation,
  signal: AbortSignal,
): Promise<string> {
  const [first] = await context.database.db
    .select({ query: messages.query, answer: messages.answer })
    .from(messages)
    .where(eq(messages.conversation_id, id))
    .orderBy(asc(messages.created_at), asc(messages.id))
    .limit(1)
  if (!first) throw toInvalidParamError('The conversation has no message to make a title from.')
  const { model, log } = context
  if (!model) return titleFromQuestion(first.query)
  try {
    let written = ''
    for await (const part of model.chat({ messages: [toTitlePrompt(first)], signal }))
      if ('text' in part) written += part.text
    return written.trim() ? titleFromModelText(written) : titleFromQuestion(first.query)
  } catch (error) {
    if (signal.reason instanceof StoppedError) throw error
    log.warn({ err: error }, 'title generation failed')
    return titleFromQuestion(first.query)
  }
}

const toTitlePrompt = ({ query, answer }: { query: string; answer: string }) => ({
  role: 'user' as const,
  content: `Write a title of at most six words for this conversation, in its language. Write the title alone.

Question: ${query.slice(0, MAX_PROMPT_CHARS)}

Answer: ${answer.slice(0, MAX_PROMPT_CHARS)}`,
})
