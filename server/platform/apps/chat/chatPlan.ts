import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import { OWNER_ID, type PlatformContext } from '../../platformContext.ts'
import { extractAnswer } from '../../model/extractiveAnswer.ts'
import type { ModelMessage } from '../../model/model.ts'
import { extractTerms } from '#domain/keywordSearch/terms.ts'
import { renderTemplate } from '../../workflow/promptTemplate.ts'
import type { AnswerPlan } from '../tasks/generateAnswer.ts'
import type { Message } from './conversations.ts'
import type { ChatApp } from '../appDefinitions.ts'
import type { AnnotationMatcher } from '../annotations/annotationMatcher.ts'
import { toPassages, toRetrieverResources, toPromptPassages } from './citations.ts'
import { messages } from '../schema.ts'
import type { ReadFiles } from '../files/fileTexts.ts'

export interface ChatQuestion {
  app: ChatApp
  message: Pick<Message, 'query' | 'inputs'>
  history: Turn[]
  files: ReadFiles
}

export type Turn = Pick<Message, 'id' | 'query' | 'answer'>

const MAX_TURNS = 20
/** Maximum tokens of earlier turns in the model's context. */
const MAX_HISTORY_TOKENS = 4000
/** A question with fewer significant terms is combined with the previous one. */
const MIN_STANDALONE_TERMS = 3
/** Maximum characters of a retrieval query; text pasted after the question would not improve it. */
const MAX_QUERY_CHARS = 2000

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
    .limit(MAX_TURNS)
  return rows.reverse()
}

/** A sufficiently similar annotation replaces the answer. */
export async function planAnnotation(
  matcher: AnnotationMatcher,
  message: Pick<Message, 'app' | 'query'>,
  signal: AbortSignal,
): Promise<AnswerPlan | null> {
  const match = await matcher.match(message.app, message.query, signal)
  if (!match) return null
  const { id, question, answer, score } = match
  return {
    messages: [],
    extract: () => answer,
    resources: [],
    annotation: { answer, reply: { id, account: { id: OWNER_ID, name: 'Loupe' }, question, score } },
  }
}

/** Retrieves the passages for a question and plans its answer. */
export async function planAnswer(context: PlatformContext, question: ChatQuestion): Promise<AnswerPlan> {
  const { app, message, history, files } = question
  const { hits } = await context.retrieve({ query: toRetrievalQuery(question), retrieval_model: { top_k: app.top_k } })
  const promptValues: Record<string, unknown> = { ...message.inputs, passages: toPromptPassages(hits) }
  const found = toPassages(hits)
  // A file has no retrieval score: it counts as much as the best passage.
  const fileScore = Math.max(...found.map(({ score }) => score), Number.MIN_VALUE)
  const passages = [...found, ...files.texts.map(({ name, text }) => ({ mark: name, content: text, score: fileScore }))]
  return {
    resources: toRetrieverResources(hits),
    messages: [
      { role: 'system', content: renderTemplate(app.prompt, (name) => promptValues[name]) },
      ...(await toHistoryMessages(context, history)),
      {
        role: 'user',
        content: [message.query, ...files.texts.map(({ name, text }) => `File ${name}:\n${text}`)].join('\n\n'),
        images: files.images,
      },
    ],
    extract: () =>
      extractAnswer({
        question: message.query,
        earlier: findEarlierQuestions(question),
        passages,
        maxSentences: app.sentences[String(message.inputs['detail'])] ?? 3,
      }),
  }
}

const toRetrievalQuery = (question: ChatQuestion): string =>
  [...findEarlierQuestions(question), question.message.query].join(' ').slice(0, MAX_QUERY_CHARS)

/** The previous question, if this one is too short without it. */
function findEarlierQuestions({ message, history }: ChatQuestion): string[] {
  const last = history.at(-1)
  return last && new Set(extractTerms(message.query)).size < MIN_STANDALONE_TERMS ? [last.query] : []
}

/** The latest turns that fit into the model's context. */
async function toHistoryMessages({ countTokens }: PlatformContext, history: Turn[]): Promise<ModelMessage[]> {
  const keptMessages: ModelMessage[] = []
  let tokens = 0
  for (const { query, answer } of history.toReversed()) {
    tokens += (await countTokens(query)) + (await countTokens(answer))
    if (tokens > MAX_HISTORY_TOKENS) break
    keptMessages.unshift({ role: 'user', content: query }, { role: 'assistant', content: answer })
  }
  return keptMessages
}
