import type { FastifyInstance } from 'fastify'
import type { PlatformContext } from '../../platformContext.ts'
import { extractSummary } from '../../model/extractiveSummary.ts'
import { createAnswerWriter } from '../../model/answerWriter.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { renderTemplate } from '../../workflow/promptTemplate.ts'
import { generateAnswer, type AnswerPlan } from '../tasks/generateAnswer.ts'
import { completionApp as definition } from '../appDefinitions.ts'
import { recordFiles, toFileRule } from '../files/recordedFiles.ts'
import { toControls } from '../inputForm.ts'
import { checkInputs, type Inputs } from '../runInputs.ts'
import { sendCompletionEntry } from '../appRequests.ts'
import { messages } from '../schema.ts'
import type { AppServices } from '../appServices.ts'
import { sendStream } from '../tasks/taskStream.ts'
import { readFiles, type ReadFiles } from '../files/fileTexts.ts'

const formControls = toControls(definition.user_input_form)

export function registerCompletionRoutes(
  app: FastifyInstance,
  context: PlatformContext,
  { tasks, piece_delay_ms }: AppServices,
): void {
  registerPlatformEndpoint(app, sendCompletionEntry, async ({ body, reply }) => {
    const endUser = { app: definition.id, user: body.user }
    // Upstream's older clients send the text as `query` next to the inputs.
    const inputValues = body.query ? { query: body.query, ...body.inputs } : body.inputs
    const inputs = await checkInputs(context.database, endUser, formControls, inputValues)
    const files = await recordFiles(
      context.database,
      endUser,
      body.files ?? [],
      toFileRule(definition.file_upload),
      'files',
    )
    const [message] = await context.database.db
      .insert(messages)
      .values({
        id: crypto.randomUUID(),
        app: definition.id,
        task_id: crypto.randomUUID(),
        end_user: body.user,
        query: body.query ?? '',
        inputs,
        files,
        status: 'running',
        created_at: new Date(context.clock()),
      })
      .returning()
    if (!message) throw new Error('the message was not written')
    const isStreaming = body.response_mode === 'streaming'
    const { task, result } = tasks.begin({
      id: message.task_id,
      app: definition.id,
      user: body.user,
      guarded: true,
      run: (task) =>
        generateAnswer({
          context,
          task,
          message,
          writer: createAnswerWriter(context.model, isStreaming ? piece_delay_ms : 0),
          plan: async () => planCompletion(inputs, await readFiles(context, files)),
        }),
    })
    if (!isStreaming) return result
    return sendStream(reply, task, { ping: false })
  })
}

function planCompletion(inputs: Inputs, { images }: ReadFiles): AnswerPlan {
  const { of: inputName, sentences } = definition.summary
  return {
    resources: [],
    messages: [{ role: 'user', content: renderTemplate(definition.prompt, (name) => inputs[name]), images }],
    extract: () =>
      extractSummary({
        text: String(inputs[inputName] ?? ''),
        maxSentences: sentences[String(inputs['length'])] ?? 3,
        focus: String(inputs['focus'] ?? ''),
        list: inputs['list'] === 'yes',
      }),
  }
}
