import { PassThrough, Readable } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { toMessageBlock, createAnswerIds } from '#support/platforms/scriptedPlatform.ts'
import type { UpstreamResponse } from '../../relay/upstream/upstream.ts'
import type { FrameWriter, NewFrame } from './frameWriter.ts'
import { LiveRun } from '../liveRun.ts'
import { STREAM_LIMITS, StreamReader } from './streamReader.ts'
import type { RunOrder } from '../runOrder.ts'

const BYTES_PER_MIB = 1024 * 1024
const ids = createAnswerIds()
const order = {
  credential: { secret: 'app-key-of-the-bounds' },
  entry: 'chat.send',
} as unknown as Pick<RunOrder, 'credential' | 'entry'>

/** A stream without an end, of which it is counted how much was taken. */
class EndlessBody {
  taken = 0
  readonly body: Readable
  constructor(part: Buffer, maxParts = Infinity) {
    const parts = function* (this: EndlessBody) {
      for (; this.taken < maxParts; this.taken++) yield part
    }
    this.body = Readable.from(parts.call(this), { highWaterMark: 1 })
  }
}

/** Reads a stream. `hold` keeps the table from taking what is written. */
const read = (
  body: Readable,
  bounds: Partial<typeof STREAM_LIMITS> = {},
  hold: Promise<unknown> = Promise.resolve(),
) => {
  const kept: NewFrame[] = []
  const write = async (_: string, frames: NewFrame[]) => {
    await hold
    kept.push(...frames)
  }
  const run = new LiveRun('r', 'w', emptyAnswer)
  const writer = { write, capacity: () => null } as unknown as FrameWriter
  const reading = new StreamReader(order, run, writer, () => undefined, { limits: { ...STREAM_LIMITS, ...bounds } })
  const problem = reading.read({ body: body as unknown as UpstreamResponse['body'] }, () => undefined)
  return { kept, reading, run, problem }
}

describe('a stream without end', () => {
  afterEach(() => void vi.useRealTimers())
  const frame = Buffer.from(toMessageBlock(ids, 'x'.repeat(10_000)))

  it('is read for 64 MiB, 200,000 frames or an hour', () => {
    expect(STREAM_LIMITS).toMatchObject({ maxBytes: 64 * BYTES_PER_MIB, maxFrames: 200_000, timeoutMs: 3_600_000 })
  })

  it('is let go at the bound of bytes, and what came is kept', async () => {
    const endless = new EndlessBody(frame)
    const { problem, kept, reading } = read(endless.body, { maxBytes: BYTES_PER_MIB })
    expect(await problem).toEqual({ kind: 'mismatch', message: 'Loupe ended the run: its stream exceeds 1 MiB.' })
    expect(endless.body.destroyed).toBe(true)
    const bytes = kept.reduce((sum, one) => sum + one.bytes, 0)
    expect(bytes).toBeGreaterThan(BYTES_PER_MIB)
    expect(bytes).toBeLessThan(BYTES_PER_MIB + 64 * 1024 + 2 * frame.length)
    expect(reading.toCallEnd('interrupted', null)).toMatchObject({ frames: kept.length, bytes })
  })

  it('is let go at the bound of frames, comments among them', async () => {
    const endless = new EndlessBody(Buffer.from(`: alive\n\n${toMessageBlock(ids, 'a')}`))
    const { problem, kept, run } = read(endless.body, { maxFrames: 100 })
    expect(await problem).toEqual({ kind: 'mismatch', message: 'Loupe ended the run: its stream exceeds 100 frames.' })
    expect(endless.body.destroyed).toBe(true)
    expect(kept.length).toBeGreaterThan(100)
    const bytes = kept.reduce((sum, one) => sum + one.bytes, 0)
    expect(bytes).toBeLessThan(64 * 1024 + 101 * 1024)
    expect(run.state).toMatchObject({ text: 'a'.repeat(kept.length / 2), ended: false })
  })

  it('of comments alone is let go after an hour', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const body = new PassThrough()
    const { problem, kept } = read(body)
    let said: unknown
    void problem.then((one) => (said = one))
    for (let minute = 0; minute < 60; minute++) {
      expect(said).toBeUndefined()
      body.write(': alive\n\n')
      await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(60_000)
    }
    expect(await problem).toEqual({ kind: 'late', message: 'Loupe ended the run: it took more than 60 minutes.' })
    expect(body.destroyed).toBe(true)
    expect(kept.map(({ block }) => block)).toEqual(Array.from({ length: 60 }, () => ': alive'))
  })

  it('in a frame of 100 MiB is let go at the bound of bytes, and no more than 1 MiB of it is kept', async () => {
    const endless = new EndlessBody(Buffer.alloc(64 * 1024, 'x'), 1600)
    const begun = Readable.from(
      (async function* () {
        yield Buffer.from(`${toMessageBlock(ids, 'Before it.')}data: `)
        yield* endless.body as AsyncIterable<Buffer>
      })(),
    )
    const { problem, kept, run } = read(begun)
    expect(await problem).toMatchObject({ message: 'Loupe ended the run: its stream exceeds 64 MiB.' })
    expect(endless.taken * 64).toBeLessThan(66 * 1024)
    expect(kept.map(({ block }) => block.length < 1.001 * BYTES_PER_MIB)).toEqual([true, true])
    expect(kept[1]?.block).toMatch(/^data: x+\n: first 1048576 of 67\d{6} bytes stored$/)
    expect(run.state).toMatchObject({ text: 'Before it.', cut: ['(no event name)'], unknown: [] })
  })

  it('of empty lines is nothing', async () => {
    const endless = new EndlessBody(Buffer.alloc(64 * 1024, '\n'), 16)
    const { problem, kept } = read(endless.body)
    expect([await problem, kept]).toEqual([null, []])
  })

  it('is not read on while more waits for the table than may', async () => {
    let release: () => void = () => undefined
    const endless = new EndlessBody(frame, 1000)
    const { problem, kept, run } = read(endless.body, {}, new Promise<void>((resolve) => (release = resolve)))
    for (let turns = 0; turns < 2000; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(endless.taken * frame.length).toBeGreaterThan(STREAM_LIMITS.maxUnwrittenBytes)
    expect(endless.taken * frame.length).toBeLessThan(STREAM_LIMITS.maxUnwrittenBytes + 10 * frame.length)
    release()
    expect([await problem, kept.length]).toEqual([null, 1000])
    expect(run.state.text.length).toBe(10_000_000)
  })

  it('is not read on while the frames of others fill the table, and then in larger pieces', async () => {
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    let capacityChecks = 0
    const writes: number[] = []
    const writer = {
      write: (_: string, frames: NewFrame[]) => Promise.resolve(void writes.push(frames.length)),
      capacity: () => (capacityChecks++ === 0 ? gate : null),
    }
    const body = new PassThrough()
    const run = new LiveRun('r', 'w', emptyAnswer)
    const reading = new StreamReader(order, run, writer as unknown as FrameWriter, () => undefined)
    const problem = reading.read({ body: body as unknown as UpstreamResponse['body'] }, () => undefined)
    for (const word of ['a', 'b', 'c', 'd']) {
      body.write(toMessageBlock(ids, word))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(writes).toEqual([1])
    release()
    body.end()
    expect(await problem).toBeNull()
    expect(writes).toEqual([1, 3])
    expect(run.state.text).toBe('abcd')
  })
})
