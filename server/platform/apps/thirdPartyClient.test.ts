import { ChatClient, CompletionClient, DifyClient } from 'dify-client'
import { expect, test } from 'vitest'
import { joinAnswer, createHit, getTestKey, readStream, type OpenApps } from './apps.fixture.ts'
import { setupApps } from './serveApps.fixture.ts'

/** What upstream's own client for Node sends, unchanged. */

/** The package's own types lack calls and arguments that its code has. */
interface ClientCalls {
  createChatMessage: (
    inputs: object,
    query: string,
    user: string,
    stream: boolean,
    conversation: string | null,
    files: object[] | null,
  ) => Promise<ClientReply>
  createCompletionMessage: (inputs: object, user: string, stream: boolean, files: null) => Promise<ClientReply>
  runWorkflow: (inputs: object, user: string, stream: boolean) => Promise<ClientReply>
  getConversations: (user: string) => Promise<ClientReply>
  getConversationMessages: (user: string, conversation: string) => Promise<ClientReply>
  renameConversation: (id: string, name: string | null, user: string, auto: boolean) => Promise<ClientReply>
  messageFeedback: (id: string, rating: string, user: string) => Promise<ClientReply>
  deleteConversation: (id: string, user: string) => Promise<ClientReply>
  getApplicationParameters: (user: string) => Promise<ClientReply>
  fileUpload: (form: FormData) => Promise<ClientReply>
}
interface ClientReply {
  status: number
  data: Record<string, string> & AsyncIterable<Buffer>
}
const toCalls = (client: unknown) => client as ClientCalls

const { serve } = setupApps()
const open = () => serve({ find: () => [createHit(1, 'Green tea is steeped at 80 degrees.')] })
const createChatClient = ({ base }: OpenApps) => toCalls(new ChatClient(getTestKey('chat'), base))
const QUESTION = 'How is green tea steeped?'

async function readStreamText(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk.toString()
  return text
}

test('its chat calls: a new conversation, its next turn, the list, the messages, a name, the end', async () => {
  const platform = await open()
  const client = createChatClient(platform)
  const { data: first } = await client.createChatMessage({}, QUESTION, 'ada', false, null, null)
  expect(first).toMatchObject({ event: 'message', mode: 'chat', answer: 'Green tea is steeped at 80 degrees. [1]' })
  const { data: stream } = await client.createChatMessage(
    {},
    'And again?',
    'ada',
    true,
    String(first['conversation_id']),
    null,
  )
  const events = readStream(await readStreamText(stream))
  expect(events[0]).toMatchObject({ conversation_id: String(first['conversation_id']) })
  expect(joinAnswer(events)).not.toBe('')
  expect((await client.getConversations('ada')).data['data']).toMatchObject([
    { id: String(first['conversation_id']), name: QUESTION },
  ])
  expect((await client.getConversationMessages('ada', String(first['conversation_id']))).data['data']).toHaveLength(2)
  expect((await client.renameConversation(String(first['conversation_id']), 'Tea', 'ada', false)).data).toMatchObject({
    name: 'Tea',
  })
  expect((await client.renameConversation(String(first['conversation_id']), null, 'ada', true)).data).toMatchObject({
    name: QUESTION,
  })
  expect((await client.messageFeedback(String(first['message_id']), 'like', 'ada')).data).toEqual({ result: 'success' })
  expect((await client.deleteConversation(String(first['conversation_id']), 'ada')).status).toBe(204)
})

test('its completion call, blocking and streaming', async () => {
  const client = toCalls(new CompletionClient(getTestKey('completion'), (await open()).base))
  const { data } = await client.createCompletionMessage({ query: 'One sentence.' }, 'ada', false, null)
  expect(data).toMatchObject({ answer: 'One sentence.', metadata: { model: 'extractive' } })
  const { data: stream } = await client.createCompletionMessage({ query: 'One sentence.' }, 'ada', true, null)
  expect(joinAnswer(readStream(await readStreamText(stream)))).toBe('One sentence.')
})

test('its workflow call, blocking and streaming', async () => {
  const client = toCalls(new CompletionClient(getTestKey('workflow'), (await open()).base))
  const { data } = await client.runWorkflow({ query: QUESTION }, 'ada', false)
  expect(data).toMatchObject({
    data: { status: 'succeeded', outputs: { answer: 'Green tea is steeped at 80 degrees. [1]' } },
  })
  const { data: stream } = await client.runWorkflow({ query: QUESTION }, 'ada', true)
  expect(readStream(await readStreamText(stream)).at(-1)).toMatchObject({
    event: 'workflow_finished',
    data: { status: 'succeeded' },
  })
})

test('its parameters and its upload', async () => {
  const platform = await open()
  const client = toCalls(new DifyClient(getTestKey('chat'), platform.base))
  expect((await client.getApplicationParameters('ada')).data).toMatchObject({ user_input_form: expect.any(Array) })
  const form = new FormData()
  form.append('user', 'ada')
  form.append('file', new Blob(['The mill was built in 1902.']), 'mill.txt')
  const { data, status } = await client.fileUpload(form)
  expect(status).toBe(201)
  const file = { type: 'document', transfer_method: 'local_file', upload_file_id: data['id'] }
  const answer = await createChatClient(platform).createChatMessage(
    {},
    'When was the mill built?',
    'ada',
    false,
    null,
    [file],
  )
  expect(answer.data['answer']).toBe('The mill was built in 1902. (mill.txt)')
})

test('a refusal reaches it as the platform’s error', async () => {
  const client = createChatClient(await open())
  const outcome = client.createChatMessage({}, QUESTION, 'ada', false, '44444444-4444-4444-8444-444444444444', null)
  await expect(outcome).rejects.toMatchObject({ response: { status: 404, data: { code: 'not_found', status: 404 } } })
})
