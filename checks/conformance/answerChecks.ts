import { contract } from '#contract/index.ts'
import { ChatReply, CompletionReply, Conversation, RetrieverResource, Usage } from './fieldTables.ts'
import { SAMPLE_PARAGRAPHS } from './conformanceResources.ts'
import { checkAnswerStream, checkStream } from './streamChecks.ts'
import { readPath, readList, toRequest, type ConformanceSuite } from './conformanceSuite.ts'

const QUERY = 'How hot is the water for green tea?'
const REMOTE_FILE = { type: 'document', transfer_method: 'remote_url', url: 'https://example.org/teas.pdf' }

/** Operations 14 and 15. Gives the id of a conversation of the user `conformance`. */
export async function checkChats(suite: ConformanceSuite): Promise<string> {
  const { send, rename } = contract.chat
  const chatBody = { query: QUERY, inputs: {}, user: 'conformance' }
  const blocking = await suite.expectReply('14 send chat message', send, {
    body: {
      ...chatBody,
      response_mode: 'blocking',
      conversation_id: '',
      files: [REMOTE_FILE],
      auto_generate_name: true,
    },
  })
  suite.expectFields('14 send chat message: its fields', ChatReply, blocking)
  suite.expectEqual(
    '14 send chat message: event and mode',
    [readPath(blocking, 'event'), readPath(blocking, 'mode')],
    ['message', 'chat'],
  )
  suite.expectTrue('14 send chat message: it has an answer', String(readPath(blocking, 'answer')) !== '')
  checkMetadata(suite, '14 send chat message', readPath(blocking, 'metadata'))
  const sources = readList(blocking, 'metadata', 'retriever_resources')
  suite.expectTrue('14 send chat message: it cites what it found', sources.length > 0)

  const conversation_id = String(readPath(blocking, 'conversation_id'))
  const events = await checkStream(suite, '14 chat stream', send, {
    body: { ...chatBody, response_mode: 'streaming', conversation_id },
  })
  checkAnswerStream(suite, '14 chat stream', 'chat', events)
  suite.expectEqual('14 chat stream: the conversation goes on', readPath(events[0], 'conversation_id'), conversation_id)
  checkMetadata(suite, '14 chat stream', readPath(events.at(-1), 'metadata'))
  const silent = await checkStream(suite, '14 chat stream, by default', send, {
    body: { query: QUERY, user: 'conformance' },
  })
  checkAnswerStream(suite, '14 chat stream, by default', 'chat', silent)
  suite.expectTrue(
    '14 chat stream, by default: a new conversation',
    readPath(silent[0], 'conversation_id') !== conversation_id,
  )

  const theirs = { ...chatBody, user: 'another', response_mode: 'blocking', conversation_id }
  await suite.expectRefusal(
    "14 send chat message: another user's conversation",
    toRequest(send, { body: theirs }),
    404,
    'not_found',
  )
  const unknownUser = { ...chatBody, conversation_id: '00000000-0000-4000-8000-000000000000' }
  await suite.expectRefusal(
    '14 send chat message: unknown conversation',
    toRequest(send, { body: unknownUser }),
    404,
    'not_found',
  )
  const wrongApp = toRequest(send, { body: { ...chatBody, response_mode: 'blocking' }, key: 'workflow' })
  await suite.expectRefusal('14 send chat message: the key of a workflow', wrongApp, 400, 'not_chat_app')

  const params = { conversation_id }
  const named = await suite.expectReply('15 rename conversation', rename, {
    params,
    body: { user: 'conformance', name: '绿茶 🍵' },
  })
  suite.expectFields('15 rename conversation: its fields', Conversation, named)
  suite.expectEqual(
    '15 rename conversation: id and name',
    [readPath(named, 'id'), readPath(named, 'name')],
    [conversation_id, '绿茶 🍵'],
  )
  const generated = await suite.expectReply('15 rename conversation, generated', rename, {
    params,
    body: { user: 'conformance', auto_generate: true },
  })
  suite.expectFields('15 rename conversation, generated: its fields', Conversation, generated)
  const title = readPath(generated, 'name')
  suite.expectTrue('15 rename conversation: a title is made', title !== '' && title !== '绿茶 🍵', title)
  const others = toRequest(rename, { params, body: { user: 'another', name: 'Mine' } })
  await suite.expectRefusal("15 rename conversation: another user's", others, 404, 'not_found')
  return conversation_id
}

/** Operation 16, with a text that takes long enough to stream for a ping. */
export async function checkCompletions(suite: ConformanceSuite): Promise<void> {
  const { send } = contract.completion
  const user = 'conformance'
  const inputs = { query: SAMPLE_PARAGRAPHS.join('\n\n') }
  const reply = await suite.expectReply('16 send completion message', send, {
    body: { inputs, user, response_mode: 'blocking' },
  })
  suite.expectFields('16 send completion message: its fields', CompletionReply, reply)
  suite.expectEqual('16 send completion message: mode', readPath(reply, 'mode'), 'chat')
  suite.expectTrue('16 send completion message: it has an answer', String(readPath(reply, 'answer')) !== '')
  suite.expectFields('16 send completion message: usage', Usage, readPath(reply, 'metadata', 'usage'))
  const image = { ...REMOTE_FILE, type: 'image', url: 'https://example.org/leaf.png' }
  await suite.expectReply('16 send completion message, with an image', send, {
    body: { inputs, user, response_mode: 'blocking', files: [image] },
  })
  const document = toRequest(send, { body: { inputs, user, response_mode: 'blocking', files: [REMOTE_FILE] } })
  await suite.expectRefusal('16 send completion message: a file that is no image', document, 400, 'invalid_param')
  const wrongApp = toRequest(send, { body: { inputs, user, response_mode: 'blocking' }, key: 'chat' })
  await suite.expectRefusal('16 send completion message: the key of a chat', wrongApp, 400, 'app_unavailable')
  const query = Array.from({ length: 8 }, (_, number) => `Sentence ${number} ${'has many words '.repeat(40)}.`).join(
    ' ',
  )
  const body = { inputs: { query, length: 'long' }, user, response_mode: 'streaming' }
  const events = await checkStream(suite, '16 completion stream', send, { body })
  checkAnswerStream(suite, '16 completion stream', 'completion', events)
  suite.expectFields('16 completion stream: usage', Usage, readPath(events.at(-1), 'metadata', 'usage'))
}

function checkMetadata(suite: ConformanceSuite, name: string, value: unknown): void {
  suite.expectFields(`${name}: usage`, Usage, readPath(value, 'usage'))
  const { prompt_tokens: prompt, completion_tokens: completion } = readPath(value, 'usage') as Record<string, number>
  suite.expectEqual(
    `${name}: tokens add up`,
    readPath(value, 'usage', 'total_tokens'),
    Number(prompt) + Number(completion),
  )
  for (const [index, source] of readList(value, 'retriever_resources').entries()) {
    suite.expectFields(`${name}: fields of source ${index + 1}`, RetrieverResource, source)
    suite.expectEqual(`${name}: position of source ${index + 1}`, readPath(source, 'position'), index + 1)
  }
}
