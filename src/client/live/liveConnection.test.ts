import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LiveConnection, type LiveConnectionOptions } from './liveConnection.ts'
import { LiveServer, stubPage, type UpgradeMode, watchRun } from './liveServer.testing.ts'

const RUN = '11111111-1111-4111-8111-111111111111'
const OTHER = '22222222-2222-4222-8222-222222222222'
/** Longer than a loaded machine takes for a round trip, and still short. */
const SILENCE_MS = 1_500

let server: LiveServer
let page: ReturnType<typeof stubPage>
let connections: LiveConnection[]

beforeEach(async () => {
  connections = []
  page = stubPage()
  server = await LiveServer.start()
})
afterEach(async () => {
  for (const connection of connections) connection.disconnect()
  await server.close()
})

function connect(options: Partial<LiveConnectionOptions> = {}): LiveConnection {
  const connection = new LiveConnection({
    connect: server.connect,
    socketSilenceMs: SILENCE_MS,
    maxSocketSilenceMs: 8 * SILENCE_MS,
    streamSilenceMs: 60_000,
    idleTimeoutMs: 60_000,
    getProbeDelayMs: () => 60_000,
    ...options,
  })
  connections.push(connection)
  return connection
}

const watch = (connection: LiveConnection, run = RUN, after = 0) => watchRun(connection, run, after)
const createRunId = (index: number) => `33333333-3333-4333-8333-${String(index).padStart(12, '0')}`
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('a page behind a proxy that passes upgrades uses a WebSocket alone', async () => {
  const connection = connect()
  const seen = watch(connection)
  server.addFrames(RUN, 3)
  await expect.poll(() => seen.seqs).toEqual([1, 2, 3])
  expect([connection.transportKind, server.open, server.streamRequests]).toEqual(['socket', ['socket'], []])
  server.endRun(RUN)
  await expect.poll(() => seen.calls).toEqual(['ended'])
})

test.for<UpgradeMode>(['refuse', 'swallow_upgrade', 'swallow_messages'])(
  'where a proxy does this with upgrades, a page follows its runs over one event stream: %s',
  async (upgrades) => {
    server.upgrades = upgrades
    const connection = connect()
    const [seen, other] = [watch(connection), watch(connection, OTHER, 0)]
    server.addFrames(RUN, 2)
    server.addFrames(OTHER, 1)
    await expect.poll(() => [seen.seqs, other.seqs]).toEqual([[1, 2], [1]])
    expect([connection.transportKind, server.open.filter((one) => one === 'event_stream')]).toEqual([
      'event_stream',
      ['event_stream'],
    ])
    server.addFrames(RUN, 2)
    server.endRun(RUN)
    server.endRun(OTHER)
    await expect.poll(() => [seen.calls, other.calls]).toEqual([['ended'], ['ended']])
    expect([seen.seqs, other.seqs]).toEqual([upTo(4), [1]])
  },
)

test('a WebSocket that dies silently is replaced by an event stream, and the subscriber does not notice', async () => {
  const connection = connect()
  const seen = watch(connection)
  server.addFrames(RUN, 5)
  await expect.poll(() => seen.seqs).toEqual(upTo(5))
  server.kill('socket')
  server.addFrames(RUN, 4)
  await expect.poll(() => seen.seqs).toEqual(upTo(9))
  expect(connection.transportKind).toBe('event_stream')
  expect(server.streamRequests).toEqual([[{ run: RUN, after: 5 }]])
  server.endRun(RUN)
  await expect.poll(() => seen.calls).toEqual(['ended'])
})

test('a run that is silent for long keeps its WebSocket, since pings are answered', async () => {
  const connection = connect()
  const seen = watch(connection)
  await expect.poll(() => server.answeredPings).toBeGreaterThan(2)
  server.addFrames(RUN, 1)
  await expect.poll(() => seen.seqs).toEqual([1])
  expect([seen.calls, server.open, server.socketCount]).toEqual([[], ['socket'], 1])
})

test('the page returns to the WebSocket once one works, and misses nothing', async () => {
  server.upgrades = 'refuse'
  const connection = connect({ getProbeDelayMs: () => 20 })
  const kinds: (string | null)[] = []
  connection.onTransportChange(() => kinds.push(connection.transportKind))
  const seen = watch(connection)
  server.addFrames(RUN, 3)
  await expect.poll(() => seen.seqs).toEqual(upTo(3))
  await expect.poll(() => server.socketCount).toBeGreaterThan(2)
  server.upgrades = 'pass'
  await expect.poll(() => connection.transportKind).toBe('socket')
  server.addFrames(RUN, 3)
  await expect.poll(() => seen.seqs).toEqual(upTo(6))
  await expect.poll(() => server.open).toEqual(['socket'])
  server.endRun(RUN)
  await expect.poll(() => seen.calls).toEqual(['ended'])
  expect(kinds.slice(0, 3)).toEqual(['socket', 'event_stream', 'socket'])
})

test('a run that is added or removed opens a new stream that resumes the others; many at once open one', async () => {
  server.upgrades = 'refuse'
  const connection = connect()
  const seen = watch(connection)
  server.addFrames(RUN, 2)
  await expect.poll(() => seen.seqs).toEqual([1, 2])
  const others = Array.from({ length: 10 }, (_, index) => watch(connection, createRunId(index)))
  await expect.poll(() => server.streamRequests.length).toBe(2)
  expect(server.streamRequests[1]).toEqual([
    { run: RUN, after: 2 },
    ...others.map((_, index) => ({ run: createRunId(index), after: 0 })),
  ])
  for (const other of others.slice(1)) other.stop()
  await expect
    .poll(() => server.streamRequests[2])
    .toEqual([
      { run: RUN, after: 2 },
      { run: createRunId(0), after: 0 },
    ])
  await expect.poll(() => server.open).toEqual(['event_stream'])
})

test('frames of an earlier subscription of a run do not reach the next one', async () => {
  server.upgrades = 'refuse'
  const connection = connect()
  const first = watch(connection)
  server.addFrames(RUN, 4)
  await expect.poll(() => first.seqs).toEqual(upTo(4))
  first.stop()
  const second = watch(connection)
  server.addFrames(RUN, 1)
  await expect.poll(() => second.seqs).toEqual(upTo(5))
})

test('more runs than a page may watch are given back', async () => {
  server.upgrades = 'refuse'
  const connection = connect()
  const seen = Array.from({ length: 501 }, (_, index) => watch(connection, createRunId(index)))
  await expect.poll(() => seen[500]?.calls).toEqual(['lost'])
  await expect.poll(() => server.streamRequests.map((watched) => watched.length)).toEqual([500])
  expect(seen.slice(0, 500).flatMap(({ calls }) => calls)).toEqual([])
})

test('a hidden page closes its stream, and continues when it is shown', async () => {
  server.upgrades = 'refuse'
  const seen = watch(connect())
  server.addFrames(RUN, 2)
  await expect.poll(() => seen.seqs).toEqual([1, 2])
  page.hidden = true
  page.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => server.open).toEqual([])
  server.addFrames(RUN, 2)
  page.hidden = false
  page.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => seen.seqs).toEqual(upTo(4))
  expect(seen.calls).toEqual([])
})

test('a stream that dies silently is lost, and the next attempt tries a WebSocket again', async () => {
  server.upgrades = 'refuse'
  const connection = connect({ streamSilenceMs: 200 })
  const seen = watch(connection)
  server.addFrames(RUN, 1)
  await expect.poll(() => seen.seqs).toEqual([1])
  server.kill('event_stream')
  await expect.poll(() => seen.calls).toEqual(['lost'])
  server.upgrades = 'pass'
  const again = watch(connection, RUN, 1)
  server.addFrames(RUN, 1)
  await expect.poll(() => again.seqs).toEqual([2])
  expect(connection.transportKind).toBe('socket')
})

test('where neither works the connection is lost; a page that is signed out is refused', async () => {
  server.upgrades = 'refuse'
  server.streamStatus = 503
  const connection = connect()
  const seen = watch(connection)
  await expect.poll(() => seen.calls).toEqual(['lost'])
  server.streamStatus = 401
  const denied = watch(connection)
  await expect.poll(() => denied.calls).toEqual(['refused 401'])
})

test('a WebSocket that the server closes is lost, not replaced; with the code of a signed-out page it is refused', async () => {
  const connection = connect()
  const seen = watch(connection)
  server.addFrames(RUN, 1)
  await expect.poll(() => seen.seqs).toEqual([1])
  server.closeSockets(1001)
  await expect.poll(() => seen.calls).toEqual(['lost'])
  const denied = watch(connection)
  await expect.poll(() => denied.seqs).toEqual([1])
  server.closeSockets(4401)
  await expect.poll(() => denied.calls).toEqual(['refused 401'])
  expect(server.streamRequests).toEqual([])
})

test('a WebSocket that worked and died silently is given more time, so that a slow one is kept in the end', async () => {
  const connection = connect({ socketSilenceMs: 100, maxSocketSilenceMs: 3_200, getProbeDelayMs: () => 20 })
  const kinds: (string | null)[] = []
  const seen = watch(connection)
  server.addFrames(RUN, 1)
  await expect.poll(() => seen.seqs).toEqual([1])
  connection.onTransportChange(() => kinds.push(connection.transportKind))
  server.pingDelayMs = 130
  await expect.poll(() => kinds.length).toBeGreaterThanOrEqual(4)
  // With the same time for each, none would answer more than one.
  await expect.poll(() => server.answeredPings).toBeGreaterThan(3)
  expect([connection.transportKind, seen.seqs, seen.calls]).toEqual(['socket', [1], []])
})

test('whatever happens to the connections, every frame of a run comes once and in order', async () => {
  const step = fc.constantFrom('frames', 'refuse', 'pass', 'swallow_messages', 'sockets_die', 'hide', 'add_run')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const run = randomUUID()
      const connection = connect({ socketSilenceMs: 40, maxSocketSilenceMs: 80, getProbeDelayMs: () => 15 })
      let received: number[] = []
      let hasEnded = false
      // Subscribes again whenever the connection is lost, as `RunStream` does.
      const subscribe = () =>
        connection.watch(run, received.at(-1) ?? 0, {
          onFrame: ({ seq }) => void (received = [...received, seq]),
          onLive: () => undefined,
          onServerSilent: () => undefined,
          onEnd: () => (hasEnded = true),
          onRefused: () => undefined,
          onConnectionLost: () => setTimeout(subscribe, 5),
        })
      subscribe()
      let total = 0
      for (const one of steps) {
        if (one === 'sockets_die') server.kill('socket')
        else if (one === 'refuse' || one === 'pass' || one === 'swallow_messages') server.upgrades = one
        else if (one === 'hide') {
          page.hidden = !page.hidden
          page.dispatchEvent(new Event('visibilitychange'))
        } else if (one === 'add_run') watch(connection, randomUUID())
        server.addFrames(run, 2)
        total += 2
        await new Promise((resolve) => setTimeout(resolve, 15))
      }
      page.hidden = false
      page.dispatchEvent(new Event('visibilitychange'))
      server.upgrades = 'pass'
      server.endRun(run)
      await expect.poll(() => hasEnded).toBe(true)
      connection.disconnect()
      expect(received).toEqual(upTo(total))
    }),
    { numRuns: 10, seed: 5 },
  )
})
