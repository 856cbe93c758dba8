import type { FastifyInstance } from 'fastify'
import type { PlatformContext } from '../../platformContext.ts'
import { toNotFoundError } from '../../platformErrors.ts'
import { titleFromQuestion } from '../../model/conversationTitle.ts'
import { createAnswerWriter } from '../../model/answerWriter.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { generateAnswer, type BlockingAnswer } from '../tasks/generateAnswer.ts'
import { insertMessage, toConversation, findConversation, type Conversation, type Message } from './conversations.ts'
import { chatApp as definition } from '../appDefinitions.ts'
import { recordFiles, toFileRule } from '../files/recordedFiles.ts'
import { toControls } from '../inputForm.ts'
import { checkInputs } from '../runInputs.ts'
import { planAnnotation, planAnswer, readHistory, type Turn } from './chatPlan.ts'
import { renameConversationEntry, sendChatEntry } from '../appRequests.ts'
import type { AppServices } from '../appServices.ts'
import { sendStream } from '../tasks/taskStream.ts'
import type { RunningTask } from '../tasks/tasks.ts'
import { readFiles } from '../files/fileTexts.ts'
import { generateTitle, renameConversation, UNTITLED } from './conversationTitles.ts'

const formControls = toControls(definition.user_input_form)

/** Operations 14 and 15. */
export function registerChatRoutes(app: FastifyInstance, context: PlatformContext, services: AppServices): void {
  registerPlatformEndpoint(app, sendChatEntry, async ({ body, reply }) => {
    const endUser = { app: definition.id, user: body.user }
    const existing = body.conversation_id ? await findConversation(context, endUser, body.conversation_id) : null
    // A conversation stores the inputs of its first message.
    const inputs = existing?.inputs ?? (await checkInputs(context.database, endUser, formControls, body.inputs))
    const files = await recordFiles(
      context.database,
      endUser,
      body.files ?? [],
      toFileRule(definition.file_upload),
      'files',
    )
    const history = existing ? await readHistory(context, existing.id) : []
    const { message, conversation } = await insertMessage(
      context,
      endUser,
      { task_id: crypto.randomUUID(), parent_message_id: history.at(-1)?.id ?? null, query: body.query, inputs, files },
      existing ?? {
        name: body.auto_generate_name === false ? UNTITLED : titleFromQuestion(body.query),
        introduction: definition.opening_statement,
      },
    )
    const isStreaming = body.response_mode === 'streaming'
    const { task, result } = startAnswer(context, services, { message, history, streams: isStreaming })
    if (!existing && body.auto_generate_name !== false) generateTitleLater(context, services, conversation, result)
    if (!isStreaming) return result
    return sendStream(reply, task, { ping: false })
  })

  registerPlatformEndpoint(app, renameConversationEntry, async ({ params, body }) => {
    const endUser = { app: definition.id, user: body.user }
    const conversation = await findConversation(context, endUser, params.conversation_id)
    const name = body.auto_generate
      ? await generateTitle(context, conversation, AbortSignal.timeout(TITLE_TIMEOUT_MS))
      : (body.name ?? '').trim()
    const renamed = await renameConversation(context, conversation.id, name)
    if (!renamed) throw toNotFoundError('Conversation')
    return toConversation(renamed)
  })
}

/** Timeout of title generation. */
const TITLE_TIMEOUT_MS = 60_000

function startAnswer(
  context: PlatformContext,
  { tasks, matcher, piece_delay_ms }: AppServices,
  { message, history, streams: isStreaming }: { message: Message; history: Turn[]; streams: boolean },
): RunningTask<BlockingAnswer> {
  const writer = createAnswerWriter(context.model, isStreaming ? piece_delay_ms : 0)
  return tasks.begin({
    id: message.task_id,
    app: message.app,
    user: message.end_user,
    guarded: true,
    run: (task) =>
      generateAnswer({
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

/** With a model, the title taken from the question is replaced by a generated one after the first answer. */
function generateTitleLater(
  context: PlatformContext,
  { tasks }: AppServices,
  conversation: Conversation,
  finishedAnswer: Promise<BlockingAnswer>,
): void {
  if (!context.model) return
  tasks.runInBackground(async (signal) => {
    await finishedAnswer
    await renameConversation(context, conversation.id, await generateTitle(context, conversation, signal))
  })
}
