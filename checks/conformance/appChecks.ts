import { contract } from '#contract/index.ts'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { pollUntil } from '../kill/consoleClient.ts'
import {
  type ConformanceStep,
  type ConformanceSuite,
  readList,
  readPath,
  readText,
  SAMPLE_PARAGRAPHS,
  toRequest,
  UNKNOWN_ID,
  USER,
} from './conformanceSuite.ts'
import {
  Annotation,
  ChatReply,
  CompletionReply,
  Control,
  Conversation,
  ImageUpload,
  Job,
  Parameters,
  RetrieverResource,
  SystemParameters,
  TextInput,
  Usage,
  WorkflowRun,
  WorkflowRunDetail,
} from './fieldTables.ts'
import { checkAnswerStream, checkRunStream, checkStream } from './streamChecks.ts'

const REMOTE_FILE = { type: 'document', transfer_method: 'remote_url', url: 'https://example.org/teas.pdf' }
const APP_KINDS = ['workflow', 'chat', 'completion'] as const
const { run, readRun, parameters } = contract.workflows

/** Operations 11 to 13: reads the form first, and fills it in. */
export async function checkWorkflows(suite: ConformanceSuite): Promise<void> {
  for (const key of APP_KINDS) await checkForm(suite, key)
  const read = await suite.send(toRequest(parameters, { key: 'workflow' }))
  const controls = readList(read.body, 'user_input_form').map(toFormField)
  const inputs = Object.fromEntries(controls.map((control) => [control.variable, toValidValue(control)]))
  const body = { inputs, user: USER }

  const step = suite.step('11 run workflow')
  const reply = await step.reply(run, { body: { ...body, response_mode: 'blocking', files: [] } })
  const data = readPath(reply, 'data')
  step.fields('its ids', { workflow_run_id: 'uuid', task_id: 'uuid', data: 'object' }, reply)
  step.fields('fields of its data', WorkflowRun, data)
  step.equal('it succeeds', readPath(data, 'status'), 'succeeded')
  step.equal('its id', readPath(data, 'id'), readPath(reply, 'workflow_run_id'))
  await checkRunDetail(suite, data, inputs)

  const streamed = suite.step('11 workflow stream')
  const events = await checkStream(streamed, run, { body: { ...body, response_mode: 'streaming' } })
  checkRunStream(streamed, events)
  streamed.equal('it succeeds', readPath(events.at(-1), 'data', 'status'), 'succeeded')
  await checkRunDetail(suite, readPath(events.at(-1), 'data'), inputs)

  await checkWrongInputs(step, controls, inputs)
  const wrongApp = toRequest(run, { body: { ...body, response_mode: 'blocking' }, key: 'chat' })
  await step.refuses('the key of a chat', wrongApp, 400, 'not_workflow_app')
}

/** The record of operation 12 must match the final state of the run. */
async function checkRunDetail(suite: ConformanceSuite, ended: unknown, inputs: Record<string, unknown>): Promise<void> {
  const step = suite.step('12 read run')
  const read = await step.reply(readRun, { params: { workflow_run_id: readText(ended, 'id') }, key: 'workflow' })
  step.fields('its fields', WorkflowRunDetail, read)
  for (const field of ['id', 'workflow_id', 'status', 'outputs', 'total_steps', 'created_at', 'finished_at'])
    step.equal(`${field} as it ended`, readPath(read, field), readPath(ended, field))
  const stored = JSON.parse(readText(read, 'inputs')) as Record<string, unknown>
  const values = Object.keys(inputs).map((name) => stored[name])
  step.equal('its inputs', values, Object.values(inputs))
}

async function checkForm(suite: ConformanceSuite, key: (typeof APP_KINDS)[number]): Promise<void> {
  const step = suite.step(`13 read parameters of the ${key}`)
  const read = await step.reply(parameters, { key })
  step.fields('its fields', Parameters, read)
  step.fields('file_upload.image', ImageUpload, readPath(read, 'file_upload', 'image'))
  step.fields('system_parameters', SystemParameters, readPath(read, 'system_parameters'))
  for (const item of readList(read, 'user_input_form')) {
    step.equal('a control has one kind', Object.keys(item as object).length, 1)
    const { kind, variable, control } = toFormField(item)
    step.fields(`fields of ${variable}`, kind === 'text-input' ? TextInput : Control, control)
  }
}

interface FormField {
  kind: string
  variable: string
  control: unknown
}

function toFormField(item: unknown): FormField {
  const [kind = '', control] = Object.entries(item as Record<string, unknown>)[0] ?? []
  return { kind, variable: readText(control, 'variable'), control }
}

function toValidValue({ kind, control }: FormField): unknown {
  if (kind === 'number') return 2
  if (kind === 'checkbox') return false
  if (kind === 'select') return readPath(control, 'options', 0)
  if (kind === 'json_object') return { a: 1 }
  if (kind === 'file') return REMOTE_FILE
  return kind === 'file-list' ? [REMOTE_FILE] : 'How is green tea steeped?'
}

/** An invalid value for a control of the kind. */
const WRONG_VALUE_BY_KIND: Record<string, unknown> = {
  'text-input': 1,
  paragraph: { a: 1 },
  select: 'no option of it',
  number: 'many',
  checkbox: 'perhaps',
  json_object: 'text',
  file: 'text',
  'file-list': 'text',
}

async function checkWrongInputs(
  step: ConformanceStep,
  controls: FormField[],
  inputs: Record<string, unknown>,
): Promise<void> {
  const refuses = (what: string, wrong: object) => {
    const request = toRequest(run, { body: { inputs: wrong, user: USER, response_mode: 'streaming' } })
    return step.refuses(what, request, 400, 'invalid_param')
  }
  for (const { kind, variable, control } of controls) {
    const { [variable]: _, ...without } = inputs
    if (readPath(control, 'required') === true) await refuses(`without the input ${variable}`, without)
    await refuses(`a wrong ${kind}`, { ...inputs, [variable]: WRONG_VALUE_BY_KIND[kind] })
    const maxLength = readPath(control, 'max_length')
    if (kind === 'paragraph' && typeof maxLength === 'number')
      await refuses(`${variable} too long`, { ...inputs, [variable]: 'x'.repeat(maxLength + 1) })
  }
  const body = { inputs: { ...inputs, undeclared: 1 }, user: USER, response_mode: 'blocking' }
  await step.suite.expectReply('11 run workflow, with an input that is not declared', run, { body })
}

const QUERY = 'How hot is the water for green tea?'

/** Operations 14 and 15. Gives the id of a conversation of the user `conformance`. */
export async function checkChats(suite: ConformanceSuite): Promise<string> {
  const { send } = contract.chat
  const chatBody = { query: QUERY, inputs: {}, user: USER }
  const step = suite.step('14 send chat message')
  const sent = { response_mode: 'blocking', conversation_id: '', files: [REMOTE_FILE], auto_generate_name: true }
  const reply = await step.reply(send, { body: { ...chatBody, ...sent } })
  step.fields('its fields', ChatReply, reply)
  step.equal('event and mode', [readPath(reply, 'event'), readPath(reply, 'mode')], ['message', 'chat'])
  step.holds('it has an answer', readText(reply, 'answer') !== '')
  checkMetadata(step, readPath(reply, 'metadata'))
  step.holds('it cites what it found', readList(reply, 'metadata', 'retriever_resources').length > 0)

  const conversation_id = readText(reply, 'conversation_id')
  const streamed = suite.step('14 chat stream')
  const body = { ...chatBody, conversation_id }
  const events = await checkStream(streamed, send, { body: { ...body, response_mode: 'streaming' } })
  checkAnswerStream(streamed, 'chat', events)
  streamed.equal('the conversation goes on', readPath(events[0], 'conversation_id'), conversation_id)
  checkMetadata(streamed, readPath(events.at(-1), 'metadata'))
  const silent = suite.step('14 chat stream, by default')
  const others = await checkStream(silent, send, { body: { query: QUERY, user: USER } })
  checkAnswerStream(silent, 'chat', others)
  silent.holds('a new conversation', readPath(others[0], 'conversation_id') !== conversation_id)

  const theirs = toRequest(send, { body: { ...body, user: 'another', response_mode: 'blocking' } })
  await step.refuses("another user's conversation", theirs, 404, 'not_found')
  const unknown = toRequest(send, { body: { ...chatBody, conversation_id: UNKNOWN_ID } })
  await step.refuses('unknown conversation', unknown, 404, 'not_found')
  const wrongApp = toRequest(send, { body: { ...chatBody, response_mode: 'blocking' }, key: 'workflow' })
  await step.refuses('the key of a workflow', wrongApp, 400, 'not_chat_app')
  await checkRename(suite, conversation_id)
  return conversation_id
}

async function checkRename(suite: ConformanceSuite, conversation_id: string): Promise<void> {
  const { rename } = contract.chat
  const params = { conversation_id }
  const step = suite.step('15 rename conversation')
  const named = await step.reply(rename, { params, body: { user: USER, name: '绿茶 🍵' } })
  step.fields('its fields', Conversation, named)
  step.equal('id and name', [readPath(named, 'id'), readPath(named, 'name')], [conversation_id, '绿茶 🍵'])
  const automatic = suite.step('15 rename conversation, generated')
  const generated = await automatic.reply(rename, { params, body: { user: USER, auto_generate: true } })
  automatic.fields('its fields', Conversation, generated)
  const title = readPath(generated, 'name')
  step.holds('a title is made', title !== '' && title !== '绿茶 🍵', title)
  const others = toRequest(rename, { params, body: { user: 'another', name: 'Mine' } })
  await step.refuses("another user's", others, 404, 'not_found')
}

/** Operation 16, with a text that takes long enough to stream for a ping. */
export async function checkCompletions(suite: ConformanceSuite): Promise<void> {
  const { send } = contract.completion
  const step = suite.step('16 send completion message')
  const body = { inputs: { query: SAMPLE_PARAGRAPHS.join('\n\n') }, user: USER, response_mode: 'blocking' }
  const reply = await step.reply(send, { body })
  step.fields('its fields', CompletionReply, reply)
  step.equal('mode', readPath(reply, 'mode'), 'chat')
  step.holds('it has an answer', readText(reply, 'answer') !== '')
  step.fields('usage', Usage, readPath(reply, 'metadata', 'usage'))
  const image = { ...REMOTE_FILE, type: 'image', url: 'https://example.org/leaf.png' }
  await suite.expectReply('16 send completion message, with an image', send, { body: { ...body, files: [image] } })
  const document = toRequest(send, { body: { ...body, files: [REMOTE_FILE] } })
  await step.refuses('a file that is no image', document, 400, 'invalid_param')
  await step.refuses('the key of a chat', toRequest(send, { body, key: 'chat' }), 400, 'app_unavailable')
  const sentences = Array.from({ length: 8 }, (_, number) => `Sentence ${number} ${'has many words '.repeat(40)}.`)
  const streamed = suite.step('16 completion stream')
  const inputs = { query: sentences.join(' '), length: 'long' }
  const events = await checkStream(streamed, send, { body: { inputs, user: USER, response_mode: 'streaming' } })
  checkAnswerStream(streamed, 'completion', events)
  streamed.fields('usage', Usage, readPath(events.at(-1), 'metadata', 'usage'))
}

function checkMetadata(step: ConformanceStep, value: unknown): void {
  step.fields('usage', Usage, readPath(value, 'usage'))
  const { prompt_tokens, completion_tokens } = readPath(value, 'usage') as Record<string, number>
  const sum = Number(prompt_tokens) + Number(completion_tokens)
  step.equal('tokens add up', readPath(value, 'usage', 'total_tokens'), sum)
  for (const [index, source] of readList(value, 'retriever_resources').entries()) {
    step.fields(`fields of source ${index + 1}`, RetrieverResource, source)
    step.equal(`position of source ${index + 1}`, readPath(source, 'position'), index + 1)
  }
}

const QUESTION = 'What is the conformance suite?'

/** Operations 17 and 18: an annotation answers its question while annotation reply is on, and no longer when it is off. */
export async function checkAnnotations(suite: ConformanceSuite): Promise<void> {
  const { reply, create } = contract.annotations
  const answer = `A list of checks, ${crypto.randomUUID()}.`
  const step = suite.step('18 create annotation')
  const made = await step.reply(create, { body: { question: QUESTION, answer } })
  step.fields('its fields', Annotation, made)
  step.equal('what was sent', [readPath(made, 'question'), readPath(made, 'answer')], [QUESTION, answer])

  const settings = { score_threshold: 0.95, embedding_provider_name: null, embedding_model_name: null }
  const question = { query: QUESTION, user: USER, inputs: {}, response_mode: 'blocking' }
  const ask = async () =>
    readPath(
      await suite.expectReply('14 send chat message, annotated', contract.chat.send, { body: question }),
      'answer',
    )
  const turn = async (action: string, body: object): Promise<ConformanceStep> => {
    const turned = suite.step(`17 annotation reply, ${action}`)
    const job = await turned.reply(reply, { params: { action }, body })
    turned.fields('its fields', Job, job)
    const params = { action, job_id: readText(job, 'job_id') }
    const ended = await pollUntil(
      async () => (await suite.send(toRequest(optionalEndpoints.annotationJob, { params }))).body,
      (state) => ['completed', 'error'].includes(readText(state, 'job_status')),
      { timeoutMs: 30_000 },
    )
    turned.add('the job ends', readPath(ended, 'job_status') === 'completed' ? null : JSON.stringify(ended))
    return turned
  }
  const enabled = await turn('enable', settings)
  enabled.equal('it answers', await ask(), answer)
  const disabled = await turn('disable', { score_threshold: 0.95 })
  disabled.holds('it answers no more', (await ask()) !== answer)
  const wrong = toRequest(reply, { params: { action: 'pause' }, body: settings })
  await suite.step('17 annotation reply').refuses('an action that is none', wrong, [400, 404])
  const params = { annotation_id: readText(made, 'id') }
  await suite.send(toRequest(optionalEndpoints.deleteAnnotation, { params }))
}
