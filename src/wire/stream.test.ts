import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Run } from '#contract/runs.ts'
import { backoffOf, type Line, openStream, type Stream, type StreamEnd, type StreamSource } from './stream.ts'

type Script = (response: ServerResponse, request: IncomingMessage) => void

const run_id = '11111111-1111-4111-8111-111111111111'
const post = { url: '/api/keys/k/chat-messages', method: 'POST', headers: { 'x-console': '1' }, body: '{}' }
const fresh = { run_id, after: 0, known: false, post }

let server: Server
let asked: { method: string; url: string; after: string | undefined; run_id: string | undefined }[]
let scripts: Script[]
let open: Stream[]

beforeEach(async () => {
  asked = []
  scripts = []
  open = []
  server = createServer((request, response) => {
    asked.push({
      method: request.method ?? '',
      url: request.url ?? '',
      after: request.headers['last-event-id'] as string | undefined,
      run_id: request.headers['run-id'] as string | undefined,
    })
    const script = scripts.shift()
    if (!script) throw new Error(`no script for request ${asked.length}`)
    request.resume()
    script(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const original = globalThis.fetch
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => original(new URL(url, base), init))
})

afterEach(async () => {
  for (const stream of open) stream.close()
  vi.unstubAllGlobals()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('frames of a POST come in order, a ping without data among them, and the run ends it', async () => {
  scripts = [events(frame(1), 'event: ping\nid: 2\n\n', ': alive\n\n', frame(3), end())]
  const seen = await watch(fresh)
  expect(seen.frames).toEqual(['data: {"n":1}', 'event: ping', 'data: {"n":3}'])
  expect(seen.end).toMatchObject({ kind: 'ended', run: { id: run_id, status: 'succeeded' } })
  expect(asked).toEqual([{ method: 'POST', url: post.url, after: undefined, run_id }])
})

test('a line that breaks is taken up after the last frame, by GET', async () => {
  scripts = [broken(frame(1), frame(2)), broken(frame(3)), events(frame(4), end())]
  const seen = await watch(fresh)
  expect(seen.frames).toEqual([1, 2, 3, 4].map((n) => `data: {"n":${n}}`))
  expect(asked.map(({ method, after }) => [method, after])).toEqual([
    ['POST', undefined],
    ['GET', '2'],
    ['GET', '3'],
  ])
  expect(seen.lines).toContain('reconnecting')
})

test('a clean close without the last block is a lost line', async () => {
  scripts = [events(frame(1)), events(end('interrupted'))]
  const seen = await watch(fresh)
  expect(asked[1]).toMatchObject({ method: 'GET', url: `/api/runs/${run_id}/events`, after: '1' })
  expect(seen.end).toMatchObject({ run: { status: 'interrupted' } })
})

test('frames seen before are dropped, and a gap sends the browser back for what is missing', async () => {
  scripts = [
    events(frame(1), frame(1), frame(2), frame(5), end()),
    events(frame(2), frame(3), frame(4), frame(5), end()),
  ]
  const seen = await watch(fresh)
  expect(seen.frames).toEqual([1, 2, 3, 4, 5].map((n) => `data: {"n":${n}}`))
  expect(asked[1]?.after).toBe('2')
})

test('wherever and however often the line is cut, every frame comes once', async () => {
  const total = 12
  const text = (after: number) =>
    Array.from({ length: total - after }, (_, index) => frame(after + index + 1)).join('') + end()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 6 }), async (cuts) => {
      asked = []
      const serve =
        (cut: number | null): Script =>
        (response, request) => {
          const whole = Buffer.from(text(Number(request.headers['last-event-id'] ?? 0)))
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          if (cut === null || cut >= whole.length) return void response.end(whole)
          response.write(whole.subarray(0, cut), () => response.destroy())
        }
      scripts = [...cuts.map(serve), serve(null)]
      const seen = await watch(fresh)
      expect(seen.frames).toEqual(Array.from({ length: total }, (_, index) => `data: {"n":${index + 1}}`))
      expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(1)
    }),
    { numRuns: 40 },
  )
})

test('a POST whose reply never came is not sent again: the run is asked for', async () => {
  scripts = [(response) => void response.destroy(), events(frame(1), end())]
  const seen = await watch(fresh)
  expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET'])
  expect(seen.frames).toHaveLength(1)
})

test('a POST that never reached the console is reported unsent after the run was asked for twice', async () => {
  scripts = [(response) => void response.destroy(), refuse(404, missing), refuse(404, missing)]
  const seen = await watch(fresh)
  expect(seen.end).toEqual({ kind: 'unsent' })
  expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET'])
})

test('a gateway’s error page says nothing about the run, so the run is asked for', async () => {
  const page: Script = (response) =>
    void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
  scripts = [page, page, events(frame(1), end())]
  const seen = await watch(fresh)
  expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET'])
  expect(seen.end).toMatchObject({ kind: 'ended' })
})

test('a refusal is final and comes with the platform’s words', async () => {
  const problem = {
    kind: 'refused',
    message: 'The platform refused.',
    upstream: { status: 400, body: { code: 'bad' } },
  }
  scripts = [refuse(424, problem)]
  const seen = await watch(fresh)
  expect(seen.end).toEqual({ kind: 'refused', problem })
  expect(asked).toHaveLength(1)
})

test('a run that is not there is refused, a server that is down is asked again', async () => {
  scripts = [refuse(503, null), refuse(404, missing)]
  const seen = await watch({ run_id, after: 0, known: true })
  expect(seen.end).toEqual({ kind: 'refused', problem: missing })
  expect(asked).toHaveLength(2)
})

test('a whole reply ends the stream', async () => {
  scripts = [(response) => void response.setHeader('content-type', 'application/json').end('{"answer":"yes"}')]
  expect((await watch(fresh)).end).toEqual({ kind: 'replied', reply: { answer: 'yes' } })
})

test('what the server has already is caught up with before the line is called live', async () => {
  scripts = [events(frame(1), frame(2), ': live\n\n', frame(3), end())]
  const seen = await watch({ run_id, after: 0, known: true })
  expect(seen.lines).toEqual(['connecting', 'catching_up', 'live'])
})

test('an event of the platform that is called like our last block is a frame like any other', async () => {
  scripts = [events('event: loupe.run\ndata: {}\nid: 1\n\n', end())]
  expect((await watch(fresh)).frames).toEqual(['event: loupe.run\ndata: {}'])
})

test('closing stops watching: the connection goes and nothing is called back', async () => {
  const gone = new Promise<void>((resolve) => {
    scripts = [
      (response) => {
        response.on('close', resolve)
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame(1))
      },
    ]
  })
  const calls: string[] = []
  const first = new Promise<void>((resolve) => {
    const listener = {
      onLine: () => calls.push('line'),
      onFrame: () => (calls.push('frame'), resolve()),
      onEnd: () => calls.push('end'),
    }
    open.push(openStream(fresh, listener, quick))
  })
  await first
  const before = calls.length
  open[0]?.close()
  await gone
  expect(calls).toHaveLength(before)
  expect(asked).toHaveLength(1)
})

test('the wait before a try can be cut short', async () => {
  scripts = [events(frame(1)), events(end())]
  const slow = { ...quick, backoff: () => 3_600_000 }
  const end_ = await new Promise<StreamEnd>((resolve) => {
    const stream = openStream(
      fresh,
      {
        onLine: (line) => {
          if (line.state === 'reconnecting' && line.retry_at !== null) queueMicrotask(() => stream.tryNow())
        },
        onFrame: () => undefined,
        onEnd: resolve,
      },
      slow,
    )
    open.push(stream)
  })
  expect(end_.kind).toBe('ended')
})

test('a line without a sign of life is lost', async () => {
  scripts = [
    (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame(1)),
    events(frame(2), end()),
  ]
  const seen = await watch(fresh, { ...quick, silence: 60 })
  expect(asked[1]?.after).toBe('1')
  expect(seen.frames).toHaveLength(2)
})

test('waits grow from half a second to fifteen, never in step', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, random) => {
      const delay = backoffOf(attempt, () => random)
      expect(delay).toBeGreaterThanOrEqual(250)
      expect(delay).toBeLessThanOrEqual(15_000)
      expect(backoffOf(attempt + 1, () => random)).toBeGreaterThanOrEqual(delay)
    }),
  )
})

const quick = { now: Date.now, backoff: () => 1, silence: 5_000 }
const missing = { kind: 'invalid', status: 404, message: 'There is no such run.' }

function watch(source: StreamSource, conditions = quick) {
  return new Promise<{ frames: string[]; lines: Line['state'][]; end: StreamEnd }>((resolve) => {
    const frames: string[] = []
    const lines: Line['state'][] = []
    const listener = {
      onLine: (line: Line) => lines.push(line.state),
      onFrame: ({ block }: { block: string }) => frames.push(block),
      onEnd: (reached: StreamEnd) => resolve({ frames, lines, end: reached }),
    }
    open.push(openStream(source, listener, conditions))
  })
}

const frame = (n: number) => `data: {"n":${n}}\nid: ${n}\n\n`
const events = (...blocks: string[]): Script => {
  return (response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).end(blocks.join(''))
}
const broken = (...blocks: string[]): Script => {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(blocks.join(''), () => response.destroy())
  }
}
const refuse = (status: number, body: unknown): Script => {
  return (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function end(status: Run['status'] = 'succeeded'): string {
  const run: Run = {
    id: run_id,
    status,
    entry: 'chat.send',
    workspace: 'w',
    key: 'k',
    person: null,
    user: null,
    response_mode: 'streaming',
    title: 'q',
    parent: null,
    conversation_id: null,
    message_id: null,
    task_id: null,
    workflow_run_id: null,
    frames: 1,
    bytes: 1,
    created_at: '2026-11-21T10:00:00.000Z',
    first_frame_ms: 1,
    first_token_ms: 1,
    duration_ms: 2,
    total_tokens: null,
    total_price: null,
    currency: null,
    problem: null,
  }
  return `event: loupe.run\ndata: ${JSON.stringify(run)}\n\n`
}
