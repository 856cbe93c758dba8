import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { LIVE_EVENTS_PATH, LIVE_PATH, MAX_WATCHED_RUNS, type LiveMessage } from '#contract/console/liveMessages.ts'
import type { Frame, Run } from '#contract/console/runs.ts'
import {
  answerSlowly,
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
} from '#support/platforms/scriptedPlatform.ts'
import { createPerson } from '../../auth/people.testing.ts'
import { TestConsole } from '../../app.testing.ts'
import { MAX_LIVE_CONNECTIONS_PER_PERSON } from './connectionQuota.ts'
import { openEventStream, type OpenPage, openSocketPage, openStreamPage } from './livePages.testing.ts'

const testConsole = TestConsole.forFile()

const startRun = async (): Promise<string> => {
  const run_id = randomUUID()
  const accepted = await testConsole.ask({ response_mode: 'streaming' }, { 'run-id': run_id, prefer: 'respond-async' })
  expect([accepted.status, await accepted.json()]).toEqual([202, { id: run_id, status: 'dispatched' }])
  return run_id
}

const TRANSPORTS: [name: string, open: OpenPage][] = [
  ['WebSocket', openSocketPage],
  ['event stream', openStreamPage],
]

describe.each(TRANSPORTS)('a page with a %s', (_name, open) => {
  const openPage = (cookie = testConsole.cookie) => open(testConsole.url, { cookie })

  it('receives no frame twice and misses none while runs are added and removed', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index} `)
    testConsole.platform.script = (_seen, response) => answerSlowly(response, createAnswerIds(), words, 2)
    const page = await openPage()
    const first = await startRun()
    page.watch(first, 0)
    for (let added = 0; added < 5; added++) {
      const frames = page.seqs(first).length
      const other = await startRun()
      page.watch(other, 0)
      await expect.poll(() => page.seqs(first).length > frames || page.end(first)).toBeTruthy()
      page.unwatch(other)
    }
    await expect.poll(() => page.end(first)).toMatchObject({ end: { status: 'succeeded' } })
    expect(page.seqs(first)).toEqual(Array.from({ length: 61 }, (_, index) => index + 1))
    page.close()
  })

  it('continues at its position, and is refused a run that does not exist without losing the others', async () => {
    testConsole.platform.script = (_seen, response) => answerSlowly(response, createAnswerIds(), ['a', 'b', 'c'], 0)
    const run = await startRun()
    const first = await openPage()
    first.watch(run, 0)
    await expect.poll(() => first.end(run)).toBeDefined()
    first.close()
    const second = await openPage()
    const missing = randomUUID()
    second.watch(run, 2)
    second.watch(missing, 0)
    await expect.poll(() => second.end(run)).toBeDefined()
    expect(second.seqs(run)).toEqual([3, 4])
    await expect.poll(() => second.of(missing)).toMatchObject([{ refused: { status: 404 } }])
    second.close()
  })

  it('receives the problem of a run that the platform refuses, though its POST was accepted', async () => {
    testConsole.platform.script = (_seen, response) =>
      sendError(response, 400, { code: 'app_unavailable', message: 'Not published.', status: 400 })
    const page = await openPage()
    const run = await startRun()
    page.watch(run, 0)
    await expect
      .poll(() => page.end(run))
      .toMatchObject({ end: { status: 'failed', problem: { kind: 'refused', message: 'Not published.' } } })
    page.close()
  })

  it('receives nothing of a run that it no longer watches, and may watch it again', async () => {
    const ids = createAnswerIds()
    let go = () => undefined as void
    testConsole.platform.script = (_seen, response) => {
      openStream(response)
      response.write(toMessageBlock(ids, 'one'))
      go = () => void response.end(toMessageBlock(ids, 'two') + toMessageEndBlock(ids))
    }
    const page = await openPage()
    const run = await startRun()
    page.watch(run, 0)
    await expect.poll(() => page.seqs(run)).toEqual([1])
    page.unwatch(run)
    page.watch(run, 1)
    go()
    await expect.poll(() => page.end(run)).toBeDefined()
    expect(page.seqs(run)).toEqual([1, 2, 3])
    expect(page.of(run).filter((one) => 'left' in one)).toEqual([])
    page.close()
  })

  it('receives the times of the list of frames, also when it joins late', async () => {
    const ids = createAnswerIds()
    const released = Promise.withResolvers<void>()
    testConsole.platform.script = async (_seen, response) => {
      openStream(response)
      response.write('event: ping\n\n')
      response.write(toMessageBlock(ids, 'Green'))
      await released.promise
      response.write(toMessageBlock(ids, ' tea.'))
      response.end(toMessageEndBlock(ids))
    }
    const run = await startRun()
    const first = await openPage()
    first.watch(run, 0)
    await vi.waitFor(() => expect(first.seqs(run)).toEqual([1, 2]))
    const reloaded = await openPage()
    reloaded.watch(run, 0)
    await vi.waitFor(() => expect(reloaded.seqs(run)).toEqual([1, 2]))
    released.resolve()
    await vi.waitFor(() => expect(first.end(run) && reloaded.end(run)).toBeDefined())
    const data = await testConsole.list<Frame>(`/api/runs/${run}/frames`)
    const listed = data.map(({ seq, at }) => [seq, at])
    expect(listed).toHaveLength(4)
    for (const page of [first, reloaded]) {
      const times = page.of(run).flatMap((one) => ('frames' in one ? one.frames.map(([seq, , at]) => [seq, at]) : []))
      expect(times).toEqual(listed)
      expect(page.end(run)).toMatchObject({ end: { first_token_ms: data[1]?.at } })
      page.close()
    }
  })

  it('loses its connection when its session ends', async () => {
    const ids = createAnswerIds()
    testConsole.platform.script = (_seen, response) => {
      openStream(response)
      response.write(toMessageBlock(ids, 'one'))
    }
    const { cookie } = await createPerson(testConsole, 'viewer')
    const page = await openPage(cookie)
    const run = await startRun()
    page.watch(run, 0)
    await expect.poll(() => page.seqs(run)).toEqual([1])
    await testConsole.fetch('DELETE', '/api/session', undefined, { cookie })
    await expect.poll(() => page.of(run).some((one) => 'left' in one)).toBe(true)
    expect([4401, null]).toContain(await page.closed)
    page.close()
  })
})

it('a stranger, a page of another origin and an invalid message get no WebSocket', async () => {
  const openPage = (headers: Record<string, string>) => openSocketPage(testConsole.url, headers)
  await expect(openPage({})).rejects.toThrow('401')
  await expect(openPage({ cookie: testConsole.cookie, origin: 'http://evil.example' })).rejects.toThrow('403')
  await expect(openPage({ cookie: testConsole.cookie, 'sec-fetch-site': 'cross-site' })).rejects.toThrow('403')
  const page = await openPage({ cookie: testConsole.cookie })
  page.watch('everything', 0)
  expect(await page.closed).toBe(4400)
})

it('a ping is answered, so that a page notices a connection that swallows messages in either direction', async () => {
  const socket = new WebSocket(`${testConsole.url.replace('http', 'ws')}/api/live`, {
    headers: { cookie: testConsole.cookie },
  })
  await once(socket, 'open')
  const reply = once(socket, 'message') as Promise<[Buffer]>
  socket.send(JSON.stringify({ ping: true }))
  expect(JSON.parse((await reply)[0].toString())).toEqual({ alive: true })
  socket.close()
})

it('a stranger, a page of another origin and a request without the header of the console get no event stream', async () => {
  const { cookie } = testConsole
  const openPage = (headers: Record<string, string>) =>
    openEventStream(testConsole.url, headers, [{ run: randomUUID(), after: 0 }], () => undefined)
  await expect(openPage({})).rejects.toThrow('401')
  await expect(openPage({ cookie, origin: 'http://evil.example' })).rejects.toThrow('403')
  await expect(openPage({ cookie, 'sec-fetch-site': 'cross-site' })).rejects.toThrow('403')
  await expect(openPage({ cookie, 'x-console': '0' })).rejects.toThrow('403')
})

it('an event stream needs a list of runs that is not too long, and the error names the field', async () => {
  const post = async (watch: unknown) => {
    const response = await testConsole.fetch('POST', LIVE_EVENTS_PATH, { watch })
    return [response.status, await response.text()]
  }
  const run = randomUUID()
  const tooMany = Array.from({ length: MAX_WATCHED_RUNS + 1 }, () => ({ run, after: 0 }))
  for (const watch of [undefined, [], tooMany])
    expect(await post(watch)).toEqual([400, expect.stringContaining('body.watch')])
  expect(await post([{ run, after: -1 }])).toEqual([400, expect.stringContaining('body.watch.0.after')])
  expect(await post([{ run: 'x'.repeat(300), after: 0 }])).toEqual([400, expect.stringContaining('body.watch.0.run')])
})

it('an event stream begins with a message, and repeats it while its runs are silent', async () => {
  const messages: LiveMessage[] = []
  testConsole.platform.script = (_seen, response) => openStream(response)
  const run = await startRun()
  const response = await openEventStream(testConsole.url, { cookie: testConsole.cookie }, [{ run, after: 0 }], (one) =>
    messages.push(one),
  )
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  await expect.poll(() => messages.length).toBeGreaterThan(3)
  expect(messages[0]).toEqual({ alive: true })
  response.destroy()
})

/** Over a Unix socket: the kernel takes little of what a page does not read, so that the rest is the server's to hold. */
it('an event stream that is not read holds little memory, and has everything when it is read on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-live-page-'))
  const socketPath = join(folder, 'socket')
  const replies: ServerResponse[] = []
  const server = createServer((request, response) => {
    replies.push(response)
    testConsole.console.app.routing(request, response)
  })
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  const frameCount = 40
  const released = Promise.withResolvers<void>()
  testConsole.platform.script = async (_seen, response) => {
    const ids = createAnswerIds()
    openStream(response)
    await released.promise
    for (let frame = 0; frame < frameCount; frame++) response.write(toMessageBlock(ids, 'x'.repeat(100_000)))
    response.end(toMessageEndBlock(ids))
  }
  const run = await startRun()
  const messages: LiveMessage[] = []
  const onEvent = (message: LiveMessage) => messages.push(message)
  const watch = [{ run, after: 0 }]
  const stream = await openEventStream(testConsole.url, { cookie: testConsole.cookie }, watch, onEvent, socketPath)
  await expect.poll(() => messages.length).toBeGreaterThan(0)
  stream.pause()
  released.resolve()
  await expect
    .poll(async () => (await testConsole.json<Run>('GET', `/api/runs/${run}`)).status, { interval: 10 })
    .toBe('succeeded')
  expect(replies[0]?.writableLength).toBeGreaterThan(100_000)
  expect(replies[0]?.writableLength).toBeLessThan(1024 * 1024)
  stream.resume()
  await expect.poll(() => messages.some((one) => 'end' in one)).toBe(true)
  expect(messages.flatMap((one) => ('frames' in one ? one.frames.map(([seq]) => seq) : []))).toEqual(
    Array.from({ length: frameCount + 1 }, (_, index) => index + 1),
  )
  stream.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

it('a broken frame of a client closes its connection and is no error', async () => {
  const socket = new WebSocket(testConsole.url.replace('http', 'ws') + LIVE_PATH, {
    headers: { cookie: testConsole.cookie },
  })
  const [{ socket: raw }] = (await once(socket, 'upgrade')) as [{ socket: Socket }]
  const closed = once(socket, 'close')
  raw.write(Buffer.from([0xff, 0xff]))
  await closed
  expect(testConsole.log).not.toMatch(/"level":50[^\n]*WebSocket/)
})

it('live connections of a person are limited in number, those of another person are not, and a closed one makes room', async () => {
  const person = await createPerson(testConsole, 'viewer')
  const other = await createPerson(testConsole, 'viewer')
  const openSocket = ({ cookie }: { cookie: string }) => openSocketPage(testConsole.url, { cookie })
  const openStreamOf = ({ cookie }: { cookie: string }) =>
    openEventStream(testConsole.url, { cookie }, [{ run: randomUUID(), after: 0 }], () => undefined)
  const pages = await Promise.all(Array.from({ length: MAX_LIVE_CONNECTIONS_PER_PERSON - 1 }, () => openSocket(person)))
  const stream = await openStreamOf(person)
  await expect(openSocket(person)).rejects.toThrow('429')
  await expect(openStreamOf(person)).rejects.toThrow('429')
  pages.push(await openSocket(other))
  const otherStream = await openStreamOf(other)
  stream.destroy()
  pages.push(await vi.waitUntil(() => openSocket(person).catch(() => null), { timeout: 5_000 }))
  await expect(openStreamOf(person)).rejects.toThrow('429')
  otherStream.destroy()
  for (const page of pages) page.close()
})
