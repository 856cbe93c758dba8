import { contract } from '#contract/index.ts'
import { ChatReply, CompletionReply, Conversation, RetrieverResource, Usage } from './fields.ts'
import { PARAGRAPHS } from './things.ts'
import { answered, streams } from './streams.ts'
import { at, listAt, requestOf, type Suite } from './suite.ts'

const QUERY = 'How hot is the water for green tea?'
const FILE = { type: 'document', transfer_method: 'remote_url', url: 'https://example.org/teas.pdf' }

/** Operations 14 and 15. Gives the id of a conversation of the user `conformance`. */
export async function chats(suite: Suite): Promise<string> {
  const { send, rename } = contract.chat
  const asked = { query: QUERY, inputs: {}, user: 'conformance' }
  const blocking = await suite.answers('14 send chat message', send, {
    body: { ...asked, response_mode: 'blocking', conversation_id: '', files: [FILE], auto_generate_name: true },
  })
  suite.fits('14 send chat message: its fields', ChatReply, blocking)
  suite.equal(
    '14 send chat message: event and mode',
    [at(blocking, 'event'), at(blocking, 'mode')],
    ['message', 'chat'],
  )
  suite.holds('14 send chat message: it has an answer', String(at(blocking, 'answer')) !== '')
  metadata(suite, '14 send chat message', at(blocking, 'metadata'))
  const sources = listAt(blocking, 'metadata', 'retriever_resources')
  suite.holds('14 send chat message: it cites what it found', sources.length > 0)

  const conversation_id = String(at(blocking, 'conversation_id'))
  const events = await streams(suite, '14 chat stream', send, {
    body: { ...asked, response_mode: 'streaming', conversation_id },
  })
  answered(suite, '14 chat stream', 'chat', events)
  suite.equal('14 chat stream: the conversation goes on', at(events[0], 'conversation_id'), conversation_id)
  metadata(suite, '14 chat stream', at(events.at(-1), 'metadata'))
  const silent = await streams(suite, '14 chat stream, by default', send, {
    body: { query: QUERY, user: 'conformance' },
  })
  answered(suite, '14 chat stream, by default', 'chat', silent)
  suite.holds('14 chat stream, by default: a new conversation', at(silent[0], 'conversation_id') !== conversation_id)

  const theirs = { ...asked, user: 'another', response_mode: 'blocking', conversation_id }
  await suite.refuses(
    "14 send chat message: another user's conversation",
    requestOf(send, { body: theirs }),
    404,
    'not_found',
  )
  const nobody = { ...asked, conversation_id: '00000000-0000-4000-8000-000000000000' }
  await suite.refuses('14 send chat message: unknown conversation', requestOf(send, { body: nobody }), 404, 'not_found')
  const wrongApp = requestOf(send, { body: { ...asked, response_mode: 'blocking' }, key: 'workflow' })
  await suite.refuses('14 send chat message: the key of a workflow', wrongApp, 400, 'not_chat_app')

  const params = { conversation_id }
  const named = await suite.answers('15 rename conversation', rename, {
    params,
    body: { user: 'conformance', name: '绿茶 🍵' },
  })
  suite.fits('15 rename conversation: its fields', Conversation, named)
  suite.equal('15 rename conversation: id and name', [at(named, 'id'), at(named, 'name')], [conversation_id, '绿茶 🍵'])
  const generated = await suite.answers('15 rename conversation, generated', rename, {
    params,
    body: { user: 'conformance', auto_generate: true },
  })
  suite.fits('15 rename conversation, generated: its fields', Conversation, generated)
  const title = at(generated, 'name')
  suite.holds('15 rename conversation: a title is made', title !== '' && title !== '绿茶 🍵', title)
  const others = requestOf(rename, { params, body: { user: 'another', name: 'Mine' } })
  await suite.refuses("15 rename conversation: another user's", others, 404, 'not_found')
  return conversation_id
}

/** Operation 16, with a text that takes long enough to stream for a ping. */
export async function completions(suite: Suite): Promise<void> {
  const { send } = contract.completion
  const user = 'conformance'
  const inputs = { query: PARAGRAPHS.join('\n\n') }
  const reply = await suite.answers('16 send completion message', send, {
    body: { inputs, user, response_mode: 'blocking' },
  })
  suite.fits('16 send completion message: its fields', CompletionReply, reply)
  suite.equal('16 send completion message: mode', at(reply, 'mode'), 'chat')
  suite.holds('16 send completion message: it has an answer', String(at(reply, 'answer')) !== '')
  suite.fits('16 send completion message: usage', Usage, at(reply, 'metadata', 'usage'))
  const image = { ...FILE, type: 'image', url: 'https://example.org/leaf.png' }
  await suite.answers('16 send completion message, with an image', send, {
    body: { inputs, user, response_mode: 'blocking', files: [image] },
  })
  const document = requestOf(send, { body: { inputs, user, response_mode: 'blocking', files: [FILE] } })
  await suite.refuses('16 send completion message: a file that is no image', document, 400, 'invalid_param')
  const wrongApp = requestOf(send, { body: { inputs, user, response_mode: 'blocking' }, key: 'chat' })
  await suite.refuses('16 send completion message: the key of a chat', wrongApp, 400, 'app_unavailable')
  const query = Array.from({ length: 8 }, (_, number) => `Sentence ${number} ${'has many words '.repeat(40)}.`).join(
    ' ',
  )
  const body = { inputs: { query, length: 'long' }, user, response_mode: 'streaming' }
  const events = await streams(suite, '16 completion stream', send, { body })
  answered(suite, '16 completion stream', 'completion', events)
  suite.fits('16 completion stream: usage', Usage, at(events.at(-1), 'metadata', 'usage'))
}

function metadata(suite: Suite, name: string, value: unknown): void {
  suite.fits(`${name}: usage`, Usage, at(value, 'usage'))
  const { prompt_tokens: prompt, completion_tokens: completion } = at(value, 'usage') as Record<string, number>
  suite.equal(`${name}: tokens add up`, at(value, 'usage', 'total_tokens'), Number(prompt) + Number(completion))
  for (const [index, source] of listAt(value, 'retriever_resources').entries()) {
    suite.fits(`${name}: fields of source ${index + 1}`, RetrieverResource, source)
    suite.equal(`${name}: position of source ${index + 1}`, at(source, 'position'), index + 1)
  }
}
