import type { FastifyInstance } from 'fastify'
import type { PlatformContext } from '../context.ts'
import { summarise } from '../model/summarise.ts'
import { openWriter } from '../model/writer.ts'
import { route } from '../route.ts'
import { render } from '../workflow/template.ts'
import { answerMessage, type Plan } from './answer.ts'
import { completionApp as definition } from './definition.ts'
import { recordFiles, ruleOfUpload } from './files.ts'
import { controlsOf } from './form.ts'
import { checkInputs, type Inputs } from './inputs.ts'
import { sendCompletion } from './requests.ts'
import { messages } from './schema.ts'
import type { Services } from './services.ts'
import { sendStream } from './stream.ts'
import { readFiles, type ReadFiles } from './texts.ts'

const form = controlsOf(definition.user_input_form)

/** Operation 16. */
export function completion(app: FastifyInstance, context: PlatformContext, { tasks, pace_ms }: Services): void {
  route(app, sendCompletion, async ({ body, reply }) => {
    const sender = { app: definition.id, user: body.user }
    // Upstream's older clients send the text as `query` beside the inputs.
    const given = body.query ? { query: body.query, ...body.inputs } : body.inputs
    const inputs = await checkInputs(context.database, sender, form, given)
    const files = await recordFiles(
      context.database,
      sender,
      body.files ?? [],
      ruleOfUpload(definition.file_upload),
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
    const streams = body.response_mode === 'streaming'
    const { task, result } = tasks.begin({
      id: message.task_id,
      app: definition.id,
      user: body.user,
      guarded: true,
      run: (task) =>
        answerMessage({
          context,
          task,
          message,
          writer: openWriter(context.model, streams ? pace_ms : 0),
          plan: async () => planCompletion(inputs, await readFiles(context, files)),
        }),
    })
    if (!streams) return result
    return sendStream(reply, task, { ping: false })
  })
}

function planCompletion(inputs: Inputs, { images }: ReadFiles): Plan {
  const { of, sentences } = definition.summary
  return {
    resources: [],
    messages: [{ role: 'user', content: render(definition.prompt, (name) => inputs[name]), images }],
    extract: () =>
      summarise({
        text: String(inputs[of] ?? ''),
        most: sentences[String(inputs['length'])] ?? 3,
        focus: String(inputs['focus'] ?? ''),
        list: inputs['list'] === true,
      }),
  }
}
