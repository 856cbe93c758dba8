// Fake Dify-compatible upstream for benchmarks. Plain Node, no dependencies.
//   node upstream.mjs [--port 4100] [--host 127.0.0.1] [--key app-bench] [--prefix /v1]
// Routes (all need "Authorization: Bearer KEY", else 401):
//   POST {prefix}/chat-messages, /completion-messages, /workflows/run
//        response_mode "streaming" (default): SSE; "blocking": JSON.
//        Knobs, in body.inputs (they survive a proxy that rebuilds the body) or the query string:
//          n      events per stream (default 200)
//          rate   events/s per stream, 0 = as fast as the socket takes them (default 0)
//          delay  ms before the first event (default 0)
//          stamp  "field" (default): send time in field "ts";  "answer": inside the answer text as @ts:NNN@
//          pad    extra bytes of answer text per event (default 0)
//          chars  characters of a blocking answer, markdown (corpus.mjs)
//          md     1: the answer is markdown (corpus.mjs), 4 characters an event
//        The same knobs are read from the words of the user's query ("go n=4000 rate=100 md=1"), for driving a real chat page.
//   GET  {prefix}/datasets/:id/documents?limit=20|100, {prefix}/datasets?limit=N
//   GET  {prefix}/conversations, /messages, /parameters, /meta, /site   (enough for a chat client's first load)
//   GET  /stats : open streams, peak, counters (no auth)
// Send time is CLOCK_MONOTONIC in microseconds (process.hrtime), comparable between processes of one machine.
import http from 'node:http'
import { parseArgs } from 'node:util'
import { corpus } from './corpus.mjs'
const { values: a } = parseArgs({
  options: {
    port: { type: 'string', default: '4100' },
    host: { type: 'string', default: '127.0.0.1' },
    key: { type: 'string', default: 'app-bench' },
    prefix: { type: 'string', default: '/v1' },
  },
})
const AUTH = 'Bearer ' + a.key,
  P = a.prefix
const us = () => Number(process.hrtime.bigint() / 1000n)
let open = 0,
  peak = 0,
  streams = 0,
  events = 0,
  aborted = 0,
  reqs = 0,
  denied = 0
const U = (i) => '00000000-0000-4000-8000-' + i.toString(16).padStart(12, '0')
const WORDS = ' the quick **brown** fox `jumps` over a lazy dog, then writes tokens that look like real prose'.split(
  /(?= )/,
)
const MSG_END = (ids, n) =>
  'data: ' +
  JSON.stringify({
    event: 'message_end',
    ...ids,
    metadata: {
      usage: {
        prompt_tokens: 1033,
        prompt_unit_price: '0.001',
        prompt_price_unit: '0.001',
        prompt_price: '0.0010330',
        completion_tokens: n,
        completion_unit_price: '0.002',
        completion_price_unit: '0.001',
        completion_price: '0.0002560',
        total_tokens: 1033 + n,
        total_price: '0.0012890',
        currency: 'USD',
        latency: 0.768,
      },
      retriever_resources: [
        {
          position: 1,
          dataset_id: U(9),
          dataset_name: 'handbook',
          document_id: U(10),
          document_name: 'a.md',
          segment_id: U(11),
          score: 0.98,
          content: 'x'.repeat(200),
        },
      ],
    },
  }) +
  '\n\n'
const doc = (i) => ({
  id: U(1000 + i),
  position: i,
  data_source_type: 'upload_file',
  data_source_info: { upload_file_id: U(5000 + i) },
  data_source_detail_dict: {
    upload_file: {
      id: U(5000 + i),
      name: `document-${i}.md`,
      size: 12345 + i,
      extension: 'md',
      mime_type: 'text/markdown',
    },
  },
  dataset_process_rule_id: U(77),
  name: `document-${i}.md`,
  created_from: 'api',
  created_by: U(3),
  created_at: 1700000000 + i,
  tokens: 1200 + i,
  indexing_status: 'completed',
  error: null,
  enabled: true,
  disabled_at: null,
  disabled_by: null,
  archived: false,
  display_status: 'available',
  word_count: 5400 + i,
  hit_count: i % 17,
  doc_form: 'text_model',
})
const cache = new Map()
const docs = (limit) => {
  let b = cache.get(limit)
  if (!b)
    cache.set(
      limit,
      (b = Buffer.from(
        JSON.stringify({
          data: Array.from({ length: limit }, (_, i) => doc(i)),
          has_more: true,
          limit,
          total: 10000,
          page: 1,
        }),
      )),
    )
  return b
}
const json = (res, code, body) => {
  const b = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  res.writeHead(code, { 'content-type': 'application/json', 'content-length': b.length })
  res.end(b)
}
const blockingReply = (chars) => {
  const reply = (answer) => ({
    event: 'message',
    task_id: U(1),
    id: U(2),
    message_id: U(2),
    conversation_id: U(3),
    mode: 'chat',
    answer,
    metadata: { usage: {}, retriever_resources: [] },
    created_at: 1700000000,
    ts: us(),
  })
  if (!chars) return reply(WORDS.join('').repeat(20))
  const name = `reply of ${chars}`
  if (!cache.has(name)) cache.set(name, Buffer.from(JSON.stringify(reply(corpus(chars)))))
  return cache.get(name)
}
const SIMPLE = {
  '/conversations': { data: [], has_more: false, limit: 20 },
  '/messages': { data: [], has_more: false, limit: 20 },
  '/parameters': {
    opening_statement: 'hello',
    suggested_questions: [],
    suggested_questions_after_answer: { enabled: false },
    speech_to_text: { enabled: false },
    retriever_resource: { enabled: true },
    annotation_reply: { enabled: false },
    user_input_form: [],
    file_upload: { image: { enabled: false, number_limits: 3, transfer_methods: ['remote_url', 'local_file'] } },
    system_parameters: {
      file_size_limit: 15,
      image_file_size_limit: 10,
      audio_file_size_limit: 50,
      video_file_size_limit: 100,
    },
  },
  '/meta': { tool_icons: {} },
  '/site': { title: 'bench' },
  '/info': { name: 'bench' },
}
function stream(req, res, o, q) {
  const say = Object.fromEntries(
    [...String(o.query ?? '').matchAll(/\b(n|rate|delay|stamp|pad|md)=(\S+)/g)].map((m) => [m[1], m[2]]),
  )
  const num = (k, d) => {
    const v = Number(o.inputs?.[k] ?? q.get(k) ?? say[k] ?? d)
    return Number.isFinite(v) ? v : d
  }
  const n = num('n', 200),
    rate = num('rate', 0),
    delay = num('delay', 0),
    pad = 'x'.repeat(num('pad', 0))
  const inAnswer = (o.inputs?.stamp ?? q.get('stamp') ?? say.stamp) === 'answer',
    md = num('md', 0) ? corpus(n * 4) : null
  const id = ++streams,
    ids = {
      conversation_id: o.conversation_id || U(1),
      message_id: U(id),
      created_at: 1700000000,
      task_id: U(id + 1e6),
      id: U(id),
    }
  const head = 'data: ' + JSON.stringify({ event: 'message', ...ids }).slice(0, -1) + ',"answer":"'
  const tail = '","from_variable_selector":null'
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  })
  res.flushHeaders()
  if (++open > peak) peak = open
  let i = 0,
    timer = null,
    done = false
  const one = () => {
    const w = md ? JSON.stringify(md.slice(i * 4, ++i * 4)).slice(1, -1) : WORDS[i++ % WORDS.length] + pad
    events++
    return inAnswer ? `${head}${w}@ts:${us()}@${tail}}\n\n` : `${head}${w}${tail},"ts":${us()}}\n\n`
  }
  const end = () => {
    if (done) return
    done = true
    clearInterval(timer)
    open--
    res.end(MSG_END(ids, n))
  }
  res.on('close', () => {
    if (!done) {
      done = true
      clearInterval(timer)
      open--
      aborted++
    }
  })
  const go = () => {
    if (done) return
    if (rate > 0) {
      const t0 = performance.now(),
        step = () => {
          if (done) return
          const due = Math.min(n, Math.floor(((performance.now() - t0) * rate) / 1000 + 0.5) + 1)
          while (i < due) res.write(one())
          if (i >= n) end()
        }
      step()
      if (!done) timer = setInterval(step, Math.max(1, 1000 / rate))
      return
    }
    const pump = () => {
      while (!done && i < n)
        if (!res.write(one())) {
          res.once('drain', pump)
          return
        }
      end()
    }
    pump()
  }
  if (delay > 0) timer = setTimeout(go, delay)
  else go()
}
const srv = http.createServer((req, res) => {
  const url = new URL(req.url, 'http://x'),
    p = url.pathname
  if (p === '/stats')
    return json(res, 200, { open, peak, streams, events, aborted, reqs, denied, rss: process.memoryUsage.rss() })
  reqs++
  if (req.headers.authorization !== AUTH) {
    denied++
    req.resume()
    return json(res, 401, { code: 'unauthorized', message: 'Access token is invalid', status: 401 })
  }
  const sub = p.startsWith(P) ? p.slice(P.length) : p
  if (req.method === 'GET') {
    const limit = Math.min(1000, Math.max(1, Number(url.searchParams.get('limit')) || 20))
    if (/^\/datasets(\/[^/]+\/documents)?$/.test(sub)) return json(res, 200, docs(limit))
    if (SIMPLE[sub]) return json(res, 200, SIMPLE[sub])
    return json(res, 404, { code: 'not_found', message: sub, status: 404 })
  }
  const parts = []
  req.on('data', (c) => parts.push(c))
  req.on('end', () => {
    let o = {}
    try {
      o = JSON.parse(Buffer.concat(parts).toString() || '{}')
    } catch {
      return json(res, 400, { code: 'bad_json', status: 400 })
    }
    if (!/^\/(chat-messages|completion-messages|workflows\/run)$/.test(sub))
      return json(res, 200, { result: 'success' })
    if (o.response_mode === 'blocking') return json(res, 200, blockingReply(Number(o.inputs?.chars ?? 0)))
    stream(req, res, o, url.searchParams)
  })
})
srv.keepAliveTimeout = 60000
srv.requestTimeout = 0
srv.listen(Number(a.port), a.host, 16384, () =>
  console.log(`fake upstream http://${a.host}:${a.port}${P} key=${a.key} pid=${process.pid}`),
)
