import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { endpoint } from '#contract/endpoint.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { makeRun } from './runRow.testing.ts'
import { type FoldState, RunStore } from './runStore.ts'
import type { StreamListener, StreamSource } from './runStream.ts'

const entry = endpoint({
  method: 'POST',
  path: '/say',
  key: 'chat',
  permission: 'run',
  reply: runEndpoints.readRun.reply,
  events: 'answer',
})
const wordFold = {
  initial: { text: '', reasoning: '', ended: false },
  fold: (state: FoldState, event: unknown) =>
    event === 'end' ? { ...state, ended: true } : { ...state, text: state.text + String(event) },
}
const input = { key: 'key' }

interface Opened extends StreamListener {
  source: StreamSource
  closed: boolean
  hurried: number
}

let opened: Opened[]
let flush: () => void
let time: number
let read: (run_id: string) => Promise<Run>

function store() {
  let ids = 0
  return new RunStore({
    now: () => time,
    newId: () => `run-${++ids}`,
    open: (source, listener) => {
      const stream: Opened = { ...listener, source, closed: false, hurried: 0 }
      opened.push(stream)
      return { close: () => void (stream.closed = true), retryNow: () => void stream.hurried++ }
    },
    read: (run_id) => read(run_id),
    getFold: () => wordFold,
    scheduleFlush: (callback) => void (flush = callback),
    idleTimeoutMs: 5_000,
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  opened = []
  time = 1_000
  read = () => Promise.reject(new Error('not asked for'))
})
afterEach(() => void vi.useRealTimers())

test('frames that come between two animation frames are one change', () => {
  const runs = store()
  const id = runs.start(entry, input)
  let changes = 0
  runs.subscribe(id, () => changes++)
  opened[0]?.onConnection({ state: 'live' })
  for (const [index, word] of ['one', 'two', 'three'].entries()) {
    time += 100
    opened[0]?.onFrame({ seq: index + 1, block: `data: "${word} "`, at: index * 100 })
  }
  expect(runs.view(id)?.frames).toBe(0)
  flush()
  expect(changes).toBe(1)
  expect(runs.view(id)).toMatchObject({
    state: { text: 'one two three ' },
    frames: 3,
    sent_at: 1_000,
    first_frame_at: 1_100,
    last_frame_at: 1_300,
  })
})

test('a run that nobody looks at lets go of its line, and goes on after its last frame', () => {
  const runs = store()
  const id = runs.start(entry, input)
  const leave = runs.subscribe(id, () => undefined)
  opened[0]?.onConnection({ state: 'live' })
  opened[0]?.onFrame({ seq: 1, block: 'data: "a"', at: 0 })
  leave()
  vi.advanceTimersByTime(4_000)
  runs.subscribe(id, () => undefined)()
  vi.advanceTimersByTime(4_000)
  expect(opened[0]?.closed).toBe(false)
  vi.advanceTimersByTime(2_000)
  expect(opened[0]?.closed).toBe(true)
  runs.subscribe(id, () => undefined)
  expect(opened[1]?.source).toMatchObject({ run_id: id, after: 1, isKnownToServer: true, post: undefined })
})

test('a request under way is never let go of', () => {
  const runs = store()
  const id = runs.start(entry, input)
  runs.subscribe(id, () => undefined)()
  vi.advanceTimersByTime(60_000)
  expect(opened[0]?.closed).toBe(false)
  opened[0]?.onConnection({ state: 'live' })
  vi.advanceTimersByTime(5_000)
  expect(opened[0]?.closed).toBe(true)
})

test('Stop watching closes the line, and Watch again takes it up without sending', () => {
  const runs = store()
  const id = runs.start(entry, input)
  runs.subscribe(id, () => undefined)
  runs.stopWatching(id)
  flush()
  expect(opened[0]?.closed).toBe(true)
  expect(runs.view(id)?.phase).toBe('away')
  runs.resumeWatching(id)
  expect(opened[1]?.source).toMatchObject({ after: 0, isKnownToServer: false, post: undefined })
})

test('a request that never arrived is sent again under its own id', async () => {
  const runs = store()
  const id = runs.start(entry, input)
  opened[0]?.onEnd({ kind: 'unsent' })
  await vi.runAllTimersAsync()
  flush()
  expect(runs.view(id)?.phase).toBe('unsent')
  runs.resend(id)
  expect(opened[1]?.source).toMatchObject({ run_id: id, post: opened[0]?.source.post })
  expect(opened[1]?.source.post).toBeDefined()
})

test('a blocking run that another tab began is read from its row when it ends', async () => {
  read = (run_id) => Promise.resolve(row({ id: run_id, answer: { text: 'theirs', reasoning: '' } }))
  const runs = store()
  runs.watch(entry, 'run-x')
  opened[0]?.onEnd({ kind: 'ended', run: row({ id: 'run-x' }) })
  await vi.runAllTimersAsync()
  flush()
  expect(runs.view('run-x')).toMatchObject({ phase: 'ended', state: { text: 'theirs' } })
})

test.each([
  ['is subscribed to', (runs: RunStore) => void runs.subscribe('run-x', () => undefined)],
  [
    'loses its idle connection',
    (runs: RunStore) => {
      runs.subscribe('run-x', () => undefined)()
      vi.advanceTimersByTime(6_000)
      runs.subscribe('run-x', () => undefined)
    },
  ],
  [
    'is left and watched again',
    (runs: RunStore) => {
      runs.stopWatching('run-x')
      runs.resumeWatching('run-x')
    },
  ],
])('a run whose final row is being read, and that %s, opens no second stream and ends once', async (_, act) => {
  const { promise, resolve } = Promise.withResolvers<Run>()
  read = () => promise
  const runs = store()
  const ends: string[] = []
  runs.onEnd((run_id) => ends.push(run_id))
  runs.watch(entry, 'run-x')
  opened[0]?.onEnd({ kind: 'ended', run: row({ id: 'run-x' }) })
  act(runs)
  resolve(row({ id: 'run-x' }))
  await vi.runAllTimersAsync()
  expect(opened).toHaveLength(1)
  expect(ends).toEqual(['run-x'])
  expect(runs.view('run-x')?.phase).toBe('ended')
})

test('what the platform was asked about a workflow that broke off is read from its row', async () => {
  const answer = { text: 'One, and what came after', reasoning: '', ended: true }
  read = (run_id) => Promise.resolve(row({ id: run_id, frames: 1, answer }))
  const runs = store()
  const id = runs.start(entry, input)
  opened[0]?.onFrame({ seq: 1, block: 'data: "One"', at: 0 })
  opened[0]?.onEnd({ kind: 'ended', run: row({ id, frames: 1 }) })
  await vi.runAllTimersAsync()
  flush()
  expect(runs.view(id)).toMatchObject({ phase: 'ended', state: answer })
})

test('a stream that has said its end is not read again', async () => {
  const runs = store()
  const id = runs.start(entry, input)
  opened[0]?.onFrame({ seq: 1, block: 'data: "end"', at: 1 })
  opened[0]?.onEnd({ kind: 'ended', run: row({ id, frames: 1 }) })
  await vi.runAllTimersAsync()
  flush()
  expect(runs.view(id)).toMatchObject({ phase: 'ended', problem: null, state: { ended: true } })
})

test('the newest twenty runs that ended are kept, and all that are watched or unsent', async () => {
  const runs = store()
  const unsent = runs.start(entry, input)
  opened[0]?.onEnd({ kind: 'unsent' })
  const watched = runs.start(entry, input)
  runs.subscribe(watched, () => undefined)
  for (let count = 0; count < 30; count++) {
    runs.start(entry, input)
    opened.at(-1)?.onEnd({ kind: 'refused', problem: { kind: 'refused', message: 'no' } })
    await vi.runAllTimersAsync()
  }
  expect(runs.all()).toHaveLength(22)
  expect([runs.view(unsent), runs.view(watched), runs.view('run-32')]).not.toContain(null)
  expect(runs.view('run-3')).toBeNull()
})

const row = (part: Partial<Run>): Run => makeRun({ response_mode: 'blocking', frames: 0, ...part })

test('a run that was paused and goes on is watched again after its last frame, in the same view', async () => {
  const runs = store()
  const id = runs.start(entry, input)
  const leave = runs.subscribe(id, () => undefined)
  opened[0]?.onConnection({ state: 'live' })
  opened[0]?.onFrame({ seq: 1, block: 'data: "before "', at: 0 })
  opened[0]?.onFrame({ seq: 2, block: 'data: "end"', at: 5 })
  opened[0]?.onEnd({ kind: 'ended', run: makeRun({ id, status: 'paused' }) })
  await vi.advanceTimersByTimeAsync(0)
  expect(runs.view(id)).toMatchObject({ phase: 'ended', run: { status: 'paused' } })

  runs.continueWatching(id)
  flush()
  expect(opened[1]?.source).toMatchObject({ run_id: id, after: 2, isKnownToServer: true, post: undefined })
  expect(runs.view(id)).toMatchObject({ phase: 'watching', run: null, state: { text: 'before ' } })
  opened[1]?.onFrame({ seq: 3, block: 'data: "after"', at: 9_000 })
  opened[1]?.onEnd({ kind: 'ended', run: makeRun({ id, status: 'succeeded' }) })
  await vi.advanceTimersByTimeAsync(0)
  expect(runs.view(id)).toMatchObject({ phase: 'ended', frames: 3, state: { text: 'before after' } })

  // Only a pause goes on: a run that is over stays so.
  runs.continueWatching(id)
  expect(opened).toHaveLength(2)
  leave()
})

test('a run that was refused at the end of the session is watched again after its last frame', async () => {
  const runs = store()
  const id = runs.start(entry, input)
  const leave = runs.subscribe(id, () => undefined)
  opened[0]?.onFrame({ seq: 1, block: 'data: "before "', at: 0 })
  opened[0]?.onEnd({ kind: 'refused', problem: { kind: 'denied', status: 401, message: 'Sign in again.' } })
  await vi.advanceTimersByTimeAsync(0)
  leave()
  expect(runs.view(id)?.phase).toBe('refused')

  runs.watch(entry, id)
  runs.subscribe(id, () => undefined)
  flush()
  expect(opened).toHaveLength(2)
  expect(opened[1]?.source).toMatchObject({ run_id: id, after: 1, isKnownToServer: true, post: undefined })
  expect(runs.view(id)).toMatchObject({ phase: 'watching', problem: null, state: { text: 'before ' } })

  // One that is watched stays on its stream.
  runs.watch(entry, id)
  expect(opened).toHaveLength(2)
})
