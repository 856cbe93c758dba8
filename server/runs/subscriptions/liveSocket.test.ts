import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { LiveMessage } from '#contract/console/liveMessages.ts'
import type { Frame } from '#contract/console/runs.ts'
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
import { MAX_WEBSOCKETS_PER_PERSON } from './liveSocket.ts'

let testConsole: TestConsole
beforeAll(async () => {
  testConsole = await TestConsole.start()
})
afterAll(() => testConsole.remove())

/** A page's line, and all that it was told. */
async function openPage(headers: Record<string, string> = { cookie: testConsole.cookie }) {
  const socket = new WebSocket(`${testConsole.url.replace('http', 'ws')}/api/live`, { headers })
  const messages: LiveMessage[] = []
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as LiveMessage))
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise<void>((resolve, reject) => socket.on('open', resolve).on('error', reject))
  return {
    told: messages,
    closed,
    socket,
    say: (request: unknown) => socket.send(JSON.stringify(request)),
    of: (run: string) => messages.filter((one) => 'run' in one && one.run === run),
    seqs: (run: string) =>
      messages.flatMap((one) => ('frames' in one && one.run === run ? one.frames.map(([seq]) => seq) : [])),
    end: (run: string) => messages.find((one) => 'end' in one && one.run === run),
  }
}
const startRun = async (): Promise<string> => {
  const run_id = randomUUID()
  const accepted = await testConsole.ask({ response_mode: 'streaming' }, { 'run-id': run_id, prefer: 'respond-async' })
  expect([accepted.status, await accepted.json()]).toEqual([202, { id: run_id, status: 'dispatched' }])
  return run_id
}

it('many runs come over one line, each whole and in order', async () => {
  const words = Array.from({ length: 30 }, (_, index) => `word${index} `)
  testConsole.platform.script = (_seen, response) => answerSlowly(response, createAnswerIds(), words, 1)
  const { say, seqs, end, socket } = await openPage()
  const runs = await Promise.all(Array.from({ length: 12 }, startRun))
  for (const run of runs) say({ watch: run, after: 0 })
  for (const run of runs) await expect.poll(() => end(run)).toMatchObject({ end: { status: 'succeeded' } })
  for (const run of runs) expect(seqs(run)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1))
  socket.close()
})

it('a page that comes back is told what it has not seen; one that knows no such run is refused', async () => {
  testConsole.platform.script = (_seen, response) => answerSlowly(response, createAnswerIds(), ['a', 'b', 'c'], 0)
  const run = await startRun()
  const first = await openPage()
  first.say({ watch: run, after: 0 })
  await expect.poll(() => first.end(run)).toBeDefined()
  first.socket.close()
  const second = await openPage()
  const nobody = randomUUID()
  second.say({ watch: run, after: 2 })
  second.say({ watch: nobody, after: 0 })
  await expect.poll(() => second.end(run)).toBeDefined()
  expect(second.seqs(run)).toEqual([3, 4])
  await expect.poll(() => second.of(nobody)).toMatchObject([{ refused: { status: 404 } }])
  second.socket.close()
})

it('a run that the platform refuses ends with its words, though its POST was accepted', async () => {
  testConsole.platform.script = (_seen, response) =>
    sendError(response, 400, { code: 'app_unavailable', message: 'Not published.', status: 400 })
  const { say, end, socket } = await openPage()
  const run = await startRun()
  say({ watch: run, after: 0 })
  await expect
    .poll(() => end(run))
    .toMatchObject({ end: { status: 'failed', problem: { kind: 'refused', message: 'Not published.' } } })
  socket.close()
})

it('who lets go of a run hears no more of it, and may watch it again', async () => {
  const ids = createAnswerIds()
  let go = () => undefined as void
  testConsole.platform.script = (_seen, response) => {
    openStream(response)
    response.write(toMessageBlock(ids, 'one'))
    go = () => void response.end(toMessageBlock(ids, 'two') + toMessageEndBlock(ids))
  }
  const { say, of, seqs, end, socket } = await openPage()
  const run = await startRun()
  say({ watch: run, after: 0 })
  await expect.poll(() => seqs(run)).toEqual([1])
  say({ unwatch: run })
  say({ watch: run, after: 1 })
  go()
  await expect.poll(() => end(run)).toBeDefined()
  expect(seqs(run)).toEqual([1, 2, 3])
  expect(of(run).filter((one) => 'left' in one)).toEqual([])
  socket.close()
})

it('frames carry the times of the list of frames, also for a page that joins late', async () => {
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
  first.say({ watch: run, after: 0 })
  await vi.waitFor(() => expect(first.seqs(run)).toEqual([1, 2]))
  const reloaded = await openPage()
  reloaded.say({ watch: run, after: 0 })
  await vi.waitFor(() => expect(reloaded.seqs(run)).toEqual([1, 2]))
  released.resolve()
  await vi.waitFor(() => expect(first.end(run) && reloaded.end(run)).toBeDefined())
  const { data } = await testConsole.json<{ data: Frame[] }>('GET', `/api/runs/${run}/frames`)
  const listed = data.map(({ seq, at }) => [seq, at])
  expect(listed).toHaveLength(4)
  for (const page of [first, reloaded]) {
    const times = page.of(run).flatMap((one) => ('frames' in one ? one.frames.map(([seq, , at]) => [seq, at]) : []))
    expect(times).toEqual(listed)
    expect(page.end(run)).toMatchObject({ end: { first_token_ms: data[1]?.at } })
    page.socket.close()
  }
})

it('a stranger, a foreign page and one that talks nonsense get no line', async () => {
  await expect(openPage({})).rejects.toThrow('401')
  await expect(openPage({ cookie: testConsole.cookie, origin: 'http://evil.example' })).rejects.toThrow('403')
  await expect(openPage({ cookie: testConsole.cookie, 'sec-fetch-site': 'cross-site' })).rejects.toThrow('403')
  const { say, closed } = await openPage()
  say({ watch: 'everything' })
  expect(await closed).toBe(4400)
})

it('a session that is signed out takes its streams with it', async () => {
  const ids = createAnswerIds()
  testConsole.platform.script = (_seen, response) => {
    openStream(response)
    response.write(toMessageBlock(ids, 'one'))
  }
  const { say, of, seqs, socket } = await openPage()
  const run = await startRun()
  say({ watch: run, after: 0 })
  await expect.poll(() => seqs(run)).toEqual([1])
  await testConsole.json('DELETE', '/api/session')
  await expect.poll(() => of(run).some((one) => 'left' in one)).toBe(true)
  socket.close()
})

it('a person has so many lines and no more; another person has their own, and a closed one makes room', async () => {
  const { cookie } = await createPerson(testConsole, 'viewer')
  const pages = await Promise.all(Array.from({ length: MAX_WEBSOCKETS_PER_PERSON }, () => openPage({ cookie })))
  await expect(openPage({ cookie })).rejects.toThrow('429')
  const other = await openPage({ cookie: (await createPerson(testConsole, 'viewer')).cookie })
  pages[0]?.socket.close()
  await pages[0]?.closed
  const again = await vi.waitUntil(() => openPage({ cookie }).catch(() => null), { timeout: 5_000 })
  await expect(openPage({ cookie })).rejects.toThrow('429')
  for (const { socket } of [...pages, other, again]) socket.terminate()
})
