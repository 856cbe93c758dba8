import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws'
import { LIVE_EVENTS_PATH, type LiveMessage, type LiveRequest } from '#contract/console/liveMessages.ts'
import type { Run } from '#contract/console/runs.ts'
import { LiveConnection } from './live/liveConnection.ts'
import { stubPage } from './live/liveServer.testing.ts'
import { makeRun } from './runRow.testing.ts'
import {
  type ConnectionState,
  openStream,
  type RunSubscription,
  type StreamEnd,
  type StreamSource,
} from './runStream.ts'

type Reply = (response: ServerResponse) => void
type Watch = (socket: ServerSocket, asked: { after: number }) => void

const run_id = '11111111-1111-4111-8111-111111111111'
const post = { url: '/api/keys/k/chat-messages', method: 'POST', headers: { 'x-console': '1' }, body: '{}' }
const fresh = { run_id, after: 0, isKnownToServer: false, post }
const known = { run_id, after: 0, isKnownToServer: true }

let server: Server
let sockets: WebSocketServer
let posted: Record<string, string | string[] | undefined>[]
let watched: LiveRequest[]
let replies: Reply[]
let watches: Watch[]
let open: RunSubscription[]
let connections: LiveConnection[]
let waited: number[]
let connect: () => WebSocket
let answersPings: boolean
const realFetch = globalThis.fetch

beforeEach(async () => {
  posted = []
  watched = []
  replies = [accepted]
  watches = []
  open = []
  connections = []
  waited = []
  answersPings = true
  stubPage()
  server = createServer((request, response) => {
    // What a page does without a WebSocket is tested with `LiveConnection`.
    if (request.url === LIVE_EVENTS_PATH) return void response.writeHead(503).end()
    posted.push(request.headers)
    const reply = replies.shift()
    if (!reply) throw new Error('no script for a request')
    request.resume()
    reply(response)
  })
  sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const request = JSON.parse(data.toString()) as LiveRequest
      if ('ping' in request) return void (answersPings && socket.send(JSON.stringify({ alive: true })))
      watched.push(request)
      if ('watch' in request) watches.shift()?.(socket, request)
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => realFetch(new URL(url, `http://127.0.0.1:${port}`), init))
  connect = () => new WebSocket(`ws://127.0.0.1:${port}/api/live`)
})

afterEach(async () => {
  for (const stream of open) stream.close()
  // A stream that ends later would ask for the page.
  for (const connection of connections) connection.disconnect()
  for (const socket of sockets.clients) socket.terminate()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('a POST is answered at once, and its frames come over the channel', async () => {
  watches = [sendMessage(frame(1), { run: run_id, frames: [[2, 'event: ping', 20]] }, { alive: true }, frame(3), end())]
  const seen = await watch(fresh)
  expect(seen.frames).toEqual(['data: {"n":1}', 'event: ping', 'data: {"n":3}'])
  expect(seen.end).toMatchObject({ kind: 'ended', run: { id: run_id, status: 'succeeded' } })
  expect(seen.lines).toEqual(['sending', 'live'])
  expect(posted).toMatchObject([{ 'run-id': run_id, prefer: 'respond-async' }])
})

test('a line that breaks is taken up after the last frame, and the POST is not sent again', async () => {
  watches = [breaksAfter(frame(1), frame(2)), breaksAfter(frame(3)), sendMessage(frame(4), end())]
  const seen = await watch(fresh)
  expect(seen.frames).toEqual([1, 2, 3, 4].map((n) => `data: {"n":${n}}`))
  expect(getRequests()).toEqual([0, 2, 3])
  expect(posted).toHaveLength(1)
  expect(seen.lines).toContain('reconnecting')
})

test('a run that the server lets go of is taken up again', async () => {
  watches = [sendMessage(frame(1), { run: run_id, left: true }), sendMessage(end('interrupted'))]
  const seen = await watch(fresh)
  expect(getRequests()).toEqual([0, 1])
  expect(seen.end).toMatchObject({ run: { status: 'interrupted' } })
})

test('frames seen before are dropped, and a gap sends the browser back for what is missing', async () => {
  watches = [
    sendMessage(frame(1), frame(1), frame(2), frame(5), end()),
    sendMessage(frame(2), frame(3), frame(4), frame(5), end()),
  ]
  const seen = await watch(fresh)
  expect(seen.frames).toEqual([1, 2, 3, 4, 5].map((n) => `data: {"n":${n}}`))
  expect(getRequests()).toEqual([0, 2])
})

test('wherever and however often the line is cut, every frame comes once', async () => {
  const total = 12
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 14 }), { maxLength: 6 }), async (cuts) => {
      posted = []
      replies = [accepted]
      const serve =
        (cut: number | null): Watch =>
        (socket, { after }) => {
          const messages = [...Array.from({ length: total - after }, (_, index) => frame(after + index + 1)), end()]
          for (const message of messages.slice(0, cut ?? undefined)) socket.send(JSON.stringify(message))
          if (cut !== null && cut < messages.length) socket.terminate()
        }
      watches = [...cuts.map(serve), serve(null)]
      const seen = await watch(fresh)
      expect(seen.frames).toEqual(Array.from({ length: total }, (_, index) => `data: {"n":${index + 1}}`))
      expect(posted).toHaveLength(1)
    }),
    { numRuns: 40 },
  )
})

const broken: Reply = (response) => void response.destroy()
const showGatewayPage: Reply = (response) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')

test.for([
  ['never came', broken],
  ['is the error page of a gateway', showGatewayPage],
] as const)('a POST whose reply %s is not sent again: the run is asked for', async ([, reply]) => {
  replies = [reply]
  watches = [sendMessage(frame(1), end())]
  const seen = await watch(fresh)
  expect(posted).toHaveLength(1)
  expect([seen.frames.length, seen.end.kind]).toEqual([1, 'ended'])
})

test('a POST that never reached the console is reported unsent after the run was asked for twice', async () => {
  replies = [broken]
  watches = [sendMessage({ run: run_id, refused: missing }), sendMessage({ run: run_id, refused: missing })]
  const seen = await watch(fresh)
  expect(seen.end).toEqual({ kind: 'unsent' })
  expect([posted.length, getRequests().length]).toEqual([1, 2])
})

const refuseWhileStopping: Reply = (response) =>
  void response
    .writeHead(503, { 'content-type': 'application/json' })
    .end(JSON.stringify({ kind: 'fault', status: 503, message: 'The server is stopping.', retry_after: 1 }))

test('a POST that a stopping server refuses is sent again under the same id, until another server takes it', async () => {
  replies = [refuseWhileStopping, refuseWhileStopping, accepted]
  watches = [sendMessage(frame(1), end())]
  const seen = await watch(fresh)
  expect(seen.end).toMatchObject({ kind: 'ended' })
  expect(posted.map((headers) => headers['run-id'])).toEqual([run_id, run_id, run_id])
  expect(waited).toEqual([1, 1])
})

test('a POST that every server refuses is refused in the end', async () => {
  replies = Array.from({ length: 10 }, () => refuseWhileStopping)
  expect((await watch(fresh)).end).toMatchObject({ kind: 'refused', problem: { status: 503 } })
  expect(posted).toHaveLength(10)
})

test('a server that is not heard of is no end of the run', async () => {
  watches = [
    sendMessage(
      { run: run_id, live: true },
      { run: run_id, silent: true },
      { run: run_id, silent: false },
      frame(1),
      end(),
    ),
  ]
  const seen = await watch(known)
  expect(seen.lines).toEqual(['connecting', 'live', 'server_silent', 'live'])
  expect(seen.end).toMatchObject({ kind: 'ended' })
})

test('a refusal is final and comes with the platform’s words', async () => {
  const problem = {
    kind: 'refused',
    message: 'The platform refused.',
    upstream: { status: 400, body: { code: 'bad' } },
  }
  replies = [
    (response) => void response.writeHead(424, { 'content-type': 'application/json' }).end(JSON.stringify(problem)),
  ]
  const seen = await watch(fresh)
  expect(seen.end).toEqual({ kind: 'refused', problem })
  expect([posted.length, watched.length]).toEqual([1, 0])
})

test('a run that is known and is not there is refused, and a session that has ended is said so', async () => {
  watches = [sendMessage({ run: run_id, refused: missing })]
  expect((await watch(known)).end).toEqual({ kind: 'refused', problem: missing })
  watches = [(socket) => socket.close(4401, 'signed out')]
  expect((await watch(known)).end).toMatchObject({ kind: 'refused', problem: { kind: 'denied', status: 401 } })
})

test('what the server has already is caught up with before the line is called live', async () => {
  watches = [sendMessage(frame(1), frame(2), { run: run_id, live: true }, frame(3), end())]
  const seen = await watch(known)
  expect(seen.lines).toEqual(['connecting', 'catching_up', 'live'])
})

test('runs share one line, and each gets its own', async () => {
  const other = '22222222-2222-4222-8222-222222222222'
  const both: Watch[] = [
    () => undefined,
    (socket) => {
      for (const message of [
        frame(1),
        { run: other, frames: [[1, 'data: "theirs"', 10]] },
        frame(2),
        { ...end(), run: other },
        end(),
      ] as LiveMessage[])
        socket.send(JSON.stringify(message))
    },
  ]
  watches = both
  const shared = makeDeps()
  const [mine, theirs] = await Promise.all([watch(known, shared), watch({ ...known, run_id: other }, shared)])
  expect(mine.frames).toEqual(['data: {"n":1}', 'data: {"n":2}'])
  expect(theirs.frames).toEqual(['data: "theirs"'])
  expect(sockets.clients.size).toBe(1)
})

test('closing stops watching: the server is told and nothing is called back', async () => {
  watches = [sendMessage(frame(1))]
  const calls: string[] = []
  await new Promise<void>((resolve) => {
    const listener = {
      onConnection: () => calls.push('line'),
      onFrame: () => (calls.push('frame'), resolve()),
      onEnd: () => calls.push('end'),
    }
    open.push(openStream(fresh, listener, makeDeps()))
  })
  const before = calls.length
  open[0]?.close()
  await expect.poll(() => watched.at(-1)).toEqual({ unwatch: run_id })
  expect(calls).toHaveLength(before)
  expect(watched).toHaveLength(2)
})

test('the wait before a try can be cut short', async () => {
  watches = [breaksAfter(frame(1)), sendMessage(end())]
  const slow = { ...makeDeps(), backoffMs: () => 3_600_000 }
  const end_ = await new Promise<StreamEnd>((resolve) => {
    const stream = openStream(
      fresh,
      {
        onConnection: (line) => {
          if (line.state === 'reconnecting' && line.retry_at !== null) queueMicrotask(() => stream.retryNow())
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
  answersPings = false
  watches = [sendMessage(frame(1)), sendMessage(frame(2), end())]
  const seen = await watch(fresh, makeDeps(60))
  expect(getRequests()).toEqual([0, 1])
  expect(seen.frames).toHaveLength(2)
})

const missing = { kind: 'invalid' as const, status: 404, message: 'There is no such run.' }
const accepted: Reply = (response) =>
  void response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ id: run_id }))
/** Where each watch began. */
const getRequests = () => watched.flatMap((one) => ('watch' in one ? [one.after] : []))

function makeDeps(silence = 5_000) {
  const connection = new LiveConnection({
    connect,
    socketSilenceMs: silence,
    maxSocketSilenceMs: silence,
    streamSilenceMs: silence,
    idleTimeoutMs: 5,
    getProbeDelayMs: () => 60_000,
  })
  connections.push(connection)
  return {
    now: Date.now,
    backoffMs: () => 1,
    postTimeoutMs: 5_000,
    waitSeconds: (seconds: number) => {
      waited.push(seconds)
      return Promise.resolve()
    },
    connection,
  }
}

function watch(source: StreamSource, given = makeDeps()) {
  return new Promise<{ frames: string[]; lines: ConnectionState['state'][]; end: StreamEnd }>((resolve) => {
    const frames: string[] = []
    const lines: ConnectionState['state'][] = []
    const listener = {
      onConnection: (line: ConnectionState) => lines.push(line.state),
      onFrame: ({ block }: { block: string }) => frames.push(block),
      onEnd: (reached: StreamEnd) => resolve({ frames, lines, end: reached }),
    }
    open.push(openStream(source, listener, given))
  })
}

const frame = (n: number): LiveMessage => ({ run: run_id, frames: [[n, `data: {"n":${n}}`, n * 10]] })
const sendMessage = (...messages: LiveMessage[]): Watch => {
  return (socket) => {
    for (const message of messages) socket.send(JSON.stringify(message))
  }
}
const breaksAfter = (...messages: LiveMessage[]): Watch => {
  return (socket) => {
    for (const message of messages) socket.send(JSON.stringify(message))
    socket.close()
  }
}
const end = (status: Run['status'] = 'succeeded'): LiveMessage => ({
  run: run_id,
  end: makeRun({ id: run_id, status }),
})
