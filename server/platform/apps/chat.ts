import type { FastifyInstance } from 'fastify'
import type { PlatformContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { titleOf } from '../model/title.ts'
import { openWriter } from '../model/writer.ts'
import { route } from '../route.ts'
import { answerMessage, type AnswerBody } from './answer.ts'
import { beginMessage, conversationItem, findConversation, type Conversation, type Message } from './conversations.ts'
import { chatApp as definition } from './definition.ts'
import { recordFiles, ruleOfUpload } from './files.ts'
import { controlsOf } from './form.ts'
import { checkInputs } from './inputs.ts'
import { planAnnotation, planAnswer, readHistory, type Turn } from './question.ts'
import { renameConversation, sendChat } from './requests.ts'
import type { Services } from './services.ts'
import { sendStream } from './stream.ts'
import type { Running } from './tasks.ts'
import { readFiles } from './texts.ts'
import { makeTitle, nameConversation, UNTITLED } from './titles.ts'

const form = controlsOf(definition.user_input_form)

/** Operations 14 and 15. */
export function chat(app: FastifyInstance, context: PlatformContext, services: Services): void {
  route(app, sendChat, async ({ body, reply }) => {
    const reader = { app: definition.id, user: body.user }
    const known = body.conversation_id ? await findConversation(context, reader, body.conversation_id) : null
    // A conversation keeps the inputs of its first message.
    const inputs = known?.inputs ?? (await checkInputs(context.database, reader, form, body.inputs))
    const files = await recordFiles(
      context.database,
      reader,
      body.files ?? [],
      ruleOfUpload(definition.file_upload),
      'files',
    )
    const history = known ? await readHistory(context, known.id) : []
    const { message, conversation } = await beginMessage(
      context,
      reader,
      { task_id: crypto.randomUUID(), parent_message_id: history.at(-1)?.id ?? null, query: body.query, inputs, files },
      known ?? {
        name: body.auto_generate_name === false ? UNTITLED : titleOf(body.query),
        introduction: definition.opening_statement,
      },
    )
    const streams = body.response_mode === 'streaming'
    const { task, result } = answer(context, services, { message, history, streams })
    if (!known && body.auto_generate_name !== false) improveTitle(context, services, conversation, result)
    if (!streams) return result
    return sendStream(reply, task, { ping: false })
  })

  route(app, renameConversation, async ({ params, body }) => {
    const reader = { app: definition.id, user: body.user }
    const conversation = await findConversation(context, reader, params.conversation_id)
    const name = body.auto_generate
      ? await makeTitle(context, conversation, AbortSignal.timeout(TITLE_MS))
      : (body.name ?? '').trim()
    const renamed = await nameConversation(context, conversation.id, name)
    if (!renamed) throw notFound('Conversation')
    return conversationItem(renamed)
  })
}

/** A title is waited for this long and no longer. */
const TITLE_MS = 60_000

function answer(
  context: PlatformContext,
  { tasks, matcher, pace_ms }: Services,
  { message, history, streams }: { message: Message; history: Turn[]; streams: boolean },
): Running<AnswerBody> {
  const writer = openWriter(context.model, streams ? pace_ms : 0)
  return tasks.begin({
    id: message.task_id,
    app: message.app,
    user: message.end_user,
    guarded: true,
    run: (task) =>
      answerMessage({
        context,
        task,
        message,
        writer,
        plan: async (signal) =>
          (await planAnnotation(matcher, message, signal)) ??
          planAnswer(context, { app: definition, message, history, files: await readFiles(context, message.files) }),
      }),
  })
}

/** With a model the first title, taken from the question, gives way to a written one behind the first answer. */
function improveTitle(
  context: PlatformContext,
  { tasks }: Services,
  conversation: Conversation,
  answered: Promise<AnswerBody>,
): void {
  if (!context.model) return
  tasks.follow(async (signal) => {
    await answered
    await nameConversation(context, conversation.id, await makeTitle(context, conversation, signal))
  })
}
