import type { FastifyInstance } from 'fastify'
import type { PlatformContext } from '../../platformContext.ts'
import { toNotFoundError } from '../../platformErrors.ts'
import { titleFromQuestion } from '../../model/conversationTitle.ts'
import { createAnswerWriter } from '../../model/answerWriter.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { generateAnswer, type BlockingAnswer } from '../tasks/generateAnswer.ts'
import {
  insertMessage,
  toConversation,
  toEndUser,
  findConversation,
  type Conversation,
  type Message,
} from './conversations.ts'
import { chatApp } from '../appDefinitions.ts'
import { findApp, findChatflow, getInputForm, requireVersion } from '../appCatalogue.ts'
import { startChatflowAnswer } from './chatflowAnswers.ts'
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

/** Operations 14 and 15, of the chat application and of chatflows. */
export function registerChatRoutes(app: FastifyInstance, context: PlatformContext, services: AppServices): void {
  registerPlatformEndpoint(app, sendChatEntry, async ({ caller, body, reply }) => {
    const current = findChatflow(caller)
    const chatflow = current && body.workflow_id ? requireVersion(current, body.workflow_id) : current
    const definition = findApp(caller)
    const endUser = toEndUser(caller, body.user)
    const existing = body.conversation_id ? await findConversation(context, endUser, body.conversation_id) : null
    // A conversation stores the inputs of its first message; a chatflow wants its own with each message.
    const inputs =
      chatflow || !existing
        ? await checkInputs(
            context.database,
            endUser,
            toControls(chatflow ? getInputForm(chatflow) : definition.user_input_form),
            body.inputs,
          )
        : existing.inputs
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
    const { task, result } = chatflow
      ? await startChatflowAnswer(context, services, { workflow: chatflow, message, isStreaming })
      : startAnswer(context, services, { message, history, streams: isStreaming })
    if (!existing && body.auto_generate_name !== false) generateTitleLater(context, services, conversation, result)
    if (!isStreaming) return result
    return sendStream(reply, task, { ping: chatflow !== null })
  })

  registerPlatformEndpoint(app, renameConversationEntry, async ({ caller, params, body }) => {
    const conversation = await findConversation(context, toEndUser(caller, body.user), params.conversation_id)
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
          planAnswer(context, { app: chatApp, message, history, files: await readFiles(context, message.files) }),
      }),
  })
}

/** With a model, the title taken from the question is replaced by a generated one after the first answer. */
function generateTitleLater(
  context: PlatformContext,
  { tasks }: AppServices,
  conversation: Conversation,
  finishedAnswer: Promise<unknown>,
): void {
  if (!context.model) return
  tasks.runInBackground(async (signal) => {
    await finishedAnswer
    // A person may have named it meanwhile.
    const title = await generateTitle(context, conversation, signal)
    await renameConversation(context, conversation.id, title, conversation.name)
  })
}
