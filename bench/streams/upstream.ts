import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createMarkdown } from '../render/markdownText.ts'

/**
 * The platform of the benches, in a process of its own; prints its address. A stream has `n` messages, `rate` a second; with `md` 1
 * its answer is markdown, four characters a message. These come in `inputs`, or as words of the question (`go n=4000 rate=100`).
 * Each message has the time at which it was sent in microseconds of the monotonic clock, which all processes share.
 */
const CHARS_PER_MESSAGE = 4
const WORDS = ' the quick **brown** fox `jumps` over a lazy dog, then writes tokens that look like real prose'.split(
  /(?= )/,
)
const toId = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
const nowMicroseconds = () => Number(process.hrtime.bigint() / 1000n)

const EMPTY_PAGE = { data: [], has_more: false, limit: 20 }
const DOCUMENTS = {
  data: Array.from({ length: 20 }, (_, index) => createDocument(index)),
  has_more: true,
  limit: 20,
  total: 10_000,
  page: 1,
}
const REPLIES: Record<string, unknown> = {
  '/stats': {},
  '/v1/conversations': EMPTY_PAGE,
  '/v1/messages': EMPTY_PAGE,
  '/v1/parameters': { opening_statement: 'hello', suggested_questions: [], user_input_form: [] },
  '/v1/meta': { tool_icons: {} },
  '/v1/site': { title: 'bench' },
  '/v1/info': { name: 'bench' },
  '/v1/datasets': DOCUMENTS,
  '/v1/documents': DOCUMENTS,
}

function createDocument(index: number) {
  const [upload_file_id, name] = [toId(5000 + index), `document-${index}.md`]
  const upload_file = { id: upload_file_id, name, size: 12_345 + index, extension: 'md', mime_type: 'text/markdown' }
  return {
    id: toId(1000 + index),
    position: index,
    data_source_type: 'upload_file',
    data_source_info: { upload_file_id },
    data_source_detail_dict: { upload_file },
    dataset_process_rule_id: toId(77),
    name,
    created_from: 'api',
    created_by: toId(3),
    created_at: 1_700_000_000 + index,
    tokens: 1200 + index,
    indexing_status: 'completed',
    error: null,
    enabled: true,
    disabled_at: null,
    disabled_by: null,
    archived: false,
    display_status: 'available',
    word_count: 5400 + index,
    hit_count: index % 17,
    doc_form: 'text_model',
  }
}

interface StreamRequest {
  query?: string
  inputs?: Record<string, unknown>
  conversation_id?: string
}

let streamCount = 0
function sendStream({ query = '', inputs = {}, conversation_id }: StreamRequest, response: ServerResponse): void {
  const words = Object.fromEntries(
    [...query.matchAll(/\b(n|rate|md)=(\d+)/g)].map(([, name = '', value]) => [name, value]),
  )
  const read = (name: string, fallback: number) => Number(inputs[name] ?? words[name] ?? fallback)
  const [count, rate] = [read('n', 200), read('rate', 20)]
  const markdown = read('md', 0) ? createMarkdown(count * CHARS_PER_MESSAGE) : null
  const id = toId(++streamCount)
  const ids = {
    conversation_id: conversation_id || toId(1),
    message_id: id,
    created_at: 1_700_000_000,
    task_id: id,
    id,
  }
  const head = `data: ${JSON.stringify({ event: 'message', ...ids }).slice(0, -1)},"answer":"`
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
  response.flushHeaders()
  let sent = 0
  const toMessage = () => {
    const at = sent++
    const answer = markdown
      ? JSON.stringify(markdown.slice(at * CHARS_PER_MESSAGE, (at + 1) * CHARS_PER_MESSAGE)).slice(1, -1)
      : WORDS[at % WORDS.length]
    return `${head}${answer}","from_variable_selector":null,"ts":${nowMicroseconds()}}\n\n`
  }
  const startedAt = performance.now()
  const sendDue = () => {
    const due = Math.min(count, Math.floor(((performance.now() - startedAt) * rate) / 1000 + 0.5) + 1)
    while (sent < due) response.write(toMessage())
    if (sent < count) return
    clearInterval(timer)
    const usage = {
      prompt_tokens: 1033,
      completion_tokens: count,
      total_tokens: 1033 + count,
      total_price: '0.0012890',
      currency: 'USD',
      latency: 0.768,
    }
    response.end(
      `data: ${JSON.stringify({ event: 'message_end', ...ids, metadata: { usage, retriever_resources: [] } })}\n\n`,
    )
  }
  const timer = setInterval(sendDue, Math.max(1, 1000 / rate))
  response.once('close', () => clearInterval(timer))
  sendDue()
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').replace(/\?.*$/, '').replace(/\/datasets\/[^/]+/, '')
  const body = await text(request)
  if (/\/(chat-messages|completion-messages|workflows\/run)$/.test(path))
    return sendStream(JSON.parse(body) as StreamRequest, response)
  const reply = JSON.stringify(REPLIES[path] ?? { code: 'not_found', message: path, status: 404 })
  response.writeHead(path in REPLIES ? 200 : 404, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(reply),
  })
  response.end(reply)
}

const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', 16_384, () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
