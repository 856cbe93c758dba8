import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LiveMessage } from '#contract/console/liveMessages.ts'
import { LiveConnection } from './live/liveConnection.ts'
import {
  type ConnectionState,
  openStream,
  type RunSubscription,
  type StreamEnd,
  type StreamSource,
} from './runStream.ts'
import {
  acceptRun,
  breakAfter,
  breakConnection,
  makeEnd,
  makeFrame,
  replyWith,
  SCRIPTED_RUN_ID,
  ScriptedServer,
  sendMessages,
  type ScriptedReply,
  type ScriptedWatch,
} from './scriptedServer.testing.ts'

const run_id = SCRIPTED_RUN_ID
const post = { url: '/api/keys/k/chat-messages', method: 'POST', headers: { 'x-console': '1' }, body: '{}' }
const fresh = { run_id, after: 0, isKnownToServer: false, post }
const known = { run_id, after: 0, isKnownToServer: true }

let server: ScriptedServer
let open: RunSubscription[]
let connections: LiveConnection[]
let waited: number[]

beforeEach(async () => {
  open = []
  connections = []
  waited = []
  server = await ScriptedServer.start()
})

afterEach(async () => {
  for (const stream of open) stream.close()
  // A stream that ends later would ask for the page.
  for (const connection of connections) connection.disconnect()
  await server.close()
})

test('a POST is answered at once, and its frames come over the channel', async () => {
  server.watches = [
    sendMessages(
      makeFrame(1),
      { run: run_id, frames: [[2, 'event: ping', 20]] },
      { alive: true },
      makeFrame(3),
      makeEnd(),
    ),
  ]
  const seen = await watch(fresh)
  expect(seen.frames).toEqual(['data: {"n":1}', 'event: ping', 'data: {"n":3}'])
  expect(seen.end).toMatchObject({ kind: 'ended', run: { id: run_id, status: 'succeeded' } })
  expect(seen.lines).toEqual(['sending', 'live'])
  expect(server.posted).toMatchObject([{ 'run-id': run_id, prefer: 'respond-async' }])
})

test('a line that breaks is taken up after the last frame, and the POST is not sent again', async () => {
  server.watches = [
    breakAfter(makeFrame(1), makeFrame(2)),
    breakAfter(makeFrame(3)),
    sendMessages(makeFrame(4), makeEnd()),
  ]
  const seen = await watch(fresh)
  expect(seen.frames).toEqual([1, 2, 3, 4].map((n) => `data: {"n":${n}}`))
  expect(server.getStarts()).toEqual([0, 2, 3])
  expect(server.posted).toHaveLength(1)
  expect(seen.lines).toContain('reconnecting')
})

test('a run that the server lets go of is taken up again', async () => {
  server.watches = [sendMessages(makeFrame(1), { run: run_id, left: true }), sendMessages(makeEnd('interrupted'))]
  const seen = await watch(fresh)
  expect(server.getStarts()).toEqual([0, 1])
  expect(seen.end).toMatchObject({ run: { status: 'interrupted' } })
})

test('frames seen before are dropped, and a gap sends the browser back for what is missing', async () => {
  server.watches = [
    sendMessages(makeFrame(1), makeFrame(1), makeFrame(2), makeFrame(5), makeEnd()),
    sendMessages(makeFrame(2), makeFrame(3), makeFrame(4), makeFrame(5), makeEnd()),
  ]
  const seen = await watch(fresh)
  expect(seen.frames).toEqual([1, 2, 3, 4, 5].map((n) => `data: {"n":${n}}`))
  expect(server.getStarts()).toEqual([0, 2])
})

test('wherever and however often the line is cut, every frame comes once', async () => {
  const total = 12
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 14 }), { maxLength: 6 }), async (cuts) => {
      server.posted = []
      server.replies = [acceptRun]
      const serve =
        (cut: number | null): ScriptedWatch =>
        (socket, { after }) => {
          const messages = [
            ...Array.from({ length: total - after }, (_, index) => makeFrame(after + index + 1)),
            makeEnd(),
          ]
          for (const message of messages.slice(0, cut ?? undefined)) socket.send(JSON.stringify(message))
          if (cut !== null && cut < messages.length) socket.terminate()
        }
      server.watches = [...cuts.map(serve), serve(null)]
      const seen = await watch(fresh)
      expect(seen.frames).toEqual(Array.from({ length: total }, (_, index) => `data: {"n":${index + 1}}`))
      expect(server.posted).toHaveLength(1)
    }),
    { numRuns: 40 },
  )
})

const showGatewayPage: ScriptedReply = (response) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')

test.for([
  ['never came', breakConnection],
  ['is the error page of a gateway', showGatewayPage],
] as const)('a POST whose reply %s is not sent again: the run is asked for', async ([, reply]) => {
  server.replies = [reply]
  server.watches = [sendMessages(makeFrame(1), makeEnd())]
  const seen = await watch(fresh)
  expect(server.posted).toHaveLength(1)
  expect([seen.frames.length, seen.end.kind]).toEqual([1, 'ended'])
})

test('a POST that never reached the console is reported unsent after the run was asked for twice', async () => {
  server.replies = [breakConnection]
  server.watches = [sendMessages({ run: run_id, refused: missing }), sendMessages({ run: run_id, refused: missing })]
  const seen = await watch(fresh)
  expect(seen.end).toEqual({ kind: 'unsent' })
  expect([server.posted.length, server.getStarts().length]).toEqual([1, 2])
})

const refuseWhileStopping = replyWith(503, {
  kind: 'fault',
  status: 503,
  message: 'The server is stopping.',
  retry_after: 1,
})

test('a POST that a stopping server refuses is sent again under the same id, until another server takes it', async () => {
  server.replies = [refuseWhileStopping, refuseWhileStopping, acceptRun]
  server.watches = [sendMessages(makeFrame(1), makeEnd())]
  const seen = await watch(fresh)
  expect(seen.end).toMatchObject({ kind: 'ended' })
  expect(server.posted.map((headers) => headers['run-id'])).toEqual([run_id, run_id, run_id])
  expect(waited).toEqual([1, 1])
})

test('a POST that every server refuses is refused in the end', async () => {
  server.replies = Array.from({ length: 10 }, () => refuseWhileStopping)
  expect((await watch(fresh)).end).toMatchObject({ kind: 'refused', problem: { status: 503 } })
  expect(server.posted).toHaveLength(10)
})

test('a server that is not heard of is no end of the run', async () => {
  server.watches = [
    sendMessages(
      { run: run_id, live: true },
      { run: run_id, silent: true },
      { run: run_id, silent: false },
      makeFrame(1),
      makeEnd(),
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
  server.replies = [replyWith(424, problem)]
  const seen = await watch(fresh)
  expect(seen.end).toEqual({ kind: 'refused', problem })
  expect([server.posted.length, server.watched.length]).toEqual([1, 0])
})

test('a run that is known and is not there is refused, and a session that has ended is said so', async () => {
  server.watches = [sendMessages({ run: run_id, refused: missing })]
  expect((await watch(known)).end).toEqual({ kind: 'refused', problem: missing })
  server.watches = [(socket) => socket.close(4401, 'signed out')]
  expect((await watch(known)).end).toMatchObject({ kind: 'refused', problem: { kind: 'denied', status: 401 } })
})

test('what the server has already is caught up with before the line is called live', async () => {
  server.watches = [sendMessages(makeFrame(1), makeFrame(2), { run: run_id, live: true }, makeFrame(3), makeEnd())]
  const seen = await watch(known)
  expect(seen.lines).toEqual(['connecting', 'catching_up', 'live'])
})

test('runs share one line, and each gets its own', async () => {
  const other = '22222222-2222-4222-8222-222222222222'
  const both: ScriptedWatch[] = [
    () => undefined,
    (socket) => {
      for (const message of [
        makeFrame(1),
        { run: other, frames: [[1, 'data: "theirs"', 10]] },
        makeFrame(2),
        { ...makeEnd(), run: other },
        makeEnd(),
      ] as LiveMessage[])
        socket.send(JSON.stringify(message))
    },
  ]
  server.watches = both
  const shared = makeDeps()
  const [mine, theirs] = await Promise.all([watch(known, shared), watch({ ...known, run_id: other }, shared)])
  expect(mine.frames).toEqual(['data: {"n":1}', 'data: {"n":2}'])
  expect(theirs.frames).toEqual(['data: "theirs"'])
  expect(server.socketCount).toBe(1)
})

test('closing stops watching: the server is told and nothing is called back', async () => {
  server.watches = [sendMessages(makeFrame(1))]
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
  await expect.poll(() => server.watched.at(-1)).toEqual({ unwatch: run_id })
  expect(calls).toHaveLength(before)
  expect(server.watched).toHaveLength(2)
})

test('the wait before a try can be cut short', async () => {
  server.watches = [breakAfter(makeFrame(1)), sendMessages(makeEnd())]
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
  server.answersPings = false
  server.watches = [sendMessages(makeFrame(1)), sendMessages(makeFrame(2), makeEnd())]
  const seen = await watch(fresh, makeDeps(60))
  expect(server.getStarts()).toEqual([0, 1])
  expect(seen.frames).toHaveLength(2)
})

const missing = { kind: 'invalid' as const, status: 404, message: 'The run was not found.' }
function makeDeps(silence = 5_000) {
  const connection = new LiveConnection({
    connect: server.connect,
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
