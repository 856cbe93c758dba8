import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import { OWNER, type PlatformContext } from '../context.ts'
import { extract } from '../model/extract.ts'
import type { ModelMessage } from '../model/model.ts'
import { terms } from '../model/terms.ts'
import { render } from '../workflow/template.ts'
import type { Plan } from './answer.ts'
import type { Message } from './conversations.ts'
import type { ChatApp } from './definition.ts'
import type { Matcher } from './matching.ts'
import { passagesOf, resourcesOf, writePassages } from './passages.ts'
import { messages } from './schema.ts'
import type { ReadFiles } from './texts.ts'

export interface Question {
  app: ChatApp
  message: Pick<Message, 'query' | 'inputs'>
  /** The turns before, oldest first. */
  history: Turn[]
  files: ReadFiles
}

export type Turn = Pick<Message, 'id' | 'query' | 'answer'>

const TURNS = 20
/** Tokens of earlier turns that a model is given with a question. */
const MEMORY_TOKENS = 4000
/** A question with fewer words that mean something leans on what was asked before. */
const STANDS_ALONE = 3
/** Characters that retrieval looks at; a pasted page behind a question is no better a query. */
const QUERY_LENGTH = 2000

/** The answered turns of a conversation, oldest first. */
export async function readHistory({ database }: PlatformContext, conversation_id: string): Promise<Turn[]> {
  const rows = await database.db
    .select({ id: messages.id, query: messages.query, answer: messages.answer })
    .from(messages)
    .where(
      and(
        eq(messages.conversation_id, conversation_id),
        inArray(messages.status, ['normal', 'stopped']),
        ne(messages.answer, ''),
      ),
    )
    .orderBy(desc(messages.created_at), desc(messages.id))
    .limit(TURNS)
  return rows.reverse()
}

/** An annotation that is alike enough answers in place of everything else. */
export async function planAnnotation(matcher: Matcher, message: Message, signal: AbortSignal): Promise<Plan | null> {
  const match = await matcher.match(message.app, message.query, signal)
  if (!match) return null
  const { id, question, answer, score } = match
  return {
    messages: [],
    extract: () => answer,
    resources: [],
    annotation: { answer, reply: { id, account: { id: OWNER, name: 'Loupe' }, question, score } },
  }
}

/** Looks the question up in the documents and says from what it is to be answered. */
export async function planAnswer(context: PlatformContext, question: Question): Promise<Plan> {
  const { app, message, history, files } = question
  const hits = await context.retrieve({ query: toFind(question), retrieval_model: { top_k: app.top_k } })
  const names: Record<string, unknown> = { ...message.inputs, passages: writePassages(hits) }
  const passages = [
    ...passagesOf(hits),
    ...files.texts.map(({ name, text }) => ({ mark: name, content: text, score: 1 })),
  ]
  return {
    resources: resourcesOf(hits),
    messages: [
      { role: 'system', content: render(app.prompt, (name) => names[name]) },
      ...(await remember(context, history)),
      {
        role: 'user',
        content: [message.query, ...files.texts.map(({ name, text }) => `File ${name}:\n${text}`)].join('\n\n'),
        images: files.images,
      },
    ],
    extract: () =>
      extract({
        question: message.query,
        earlier: leansOn(question),
        passages,
        most: app.sentences[String(message.inputs['detail'])] ?? 3,
      }),
  }
}

const toFind = (question: Question): string =>
  [...leansOn(question), question.message.query].join(' ').slice(0, QUERY_LENGTH)

/** What was asked before, if the question cannot do without it. */
function leansOn({ message, history }: Question): string[] {
  const last = history.at(-1)
  return last && new Set(terms(message.query)).size < STANDS_ALONE ? [last.query] : []
}

/** The latest turns that fit into a model's memory. */
async function remember({ countTokens }: PlatformContext, history: Turn[]): Promise<ModelMessage[]> {
  const kept: ModelMessage[] = []
  let tokens = 0
  for (const { query, answer } of history.toReversed()) {
    tokens += (await countTokens(query)) + (await countTokens(answer))
    if (tokens > MEMORY_TOKENS) break
    kept.unshift({ role: 'user', content: query }, { role: 'assistant', content: answer })
  }
  return kept
}
