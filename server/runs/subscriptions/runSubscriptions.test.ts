import { SessionConnections } from '../../auth/sessionConnections.ts'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { readFrames } from '../../app.testing.ts'
import type { StreamReply } from './frameSink.ts'
import { RunSubscriptions } from './runSubscriptions.ts'
import { LiveRun } from '../liveRun.ts'
import { toTestFrame, TEST_RUN, FrameTable } from './frameTable.testing.ts'

describe('an attachment', () => {
  let server: Server
  let answer: (response: ServerResponse) => void = () => undefined
  beforeAll(async () => {
    server = createServer((_request, response) => answer(response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const lineOf = (raw: ServerResponse): StreamReply => ({
    raw,
    hijack: () => ({}) as never,
    getHeaders: () => ({}) as never,
  })
  const ask = (then: (response: ServerResponse) => void): Promise<IncomingMessage> => {
    answer = then
    return new Promise((resolve, reject) =>
      get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }, resolve).on(
        'error',
        reject,
      ),
    )
  }
  const textOf = async (response: IncomingMessage): Promise<string> => {
    let text = ''
    for await (const part of response.setEncoding('utf8')) text += part
    return text
  }
  const started = () => {
    const live = new LiveRun('r', 'w', emptyAnswer)
    live.hasNoFrames = false
    return live
  }

  it('of a run that has just ended gets its frames and its end', async () => {
    const table = new FrameTable()
    table.rows = [toTestFrame(1), toTestFrame(2)]
    const live = started()
    live.finish(TEST_RUN)
    const text = await textOf(
      await ask((raw) => new RunSubscriptions(table.sources).subscribeStream(lineOf(raw), 'r', live, 0)),
    )
    expect(readFrames(text).frames.map(({ id }) => id)).toEqual([1, 2])
    expect(readFrames(text).run).toMatchObject({ status: 'succeeded' })
  })

  it('misses nothing and repeats nothing of what comes while a page is read', async () => {
    const table = new FrameTable()
    const live = started()
    const publish = (from: number, to: number, size?: number) => {
      const fresh = Array.from({ length: to - from + 1 }, (_, index) => toTestFrame(from + index, size))
      table.rows.push(...fresh)
      live.publish(fresh)
    }
    const steps = [() => publish(11, 3000), () => publish(3001, 3003, 900_000), () => publish(3004, 3010)]
    table.rows = Array.from({ length: 10 }, (_, index) => toTestFrame(index + 1))
    table.during = () => {
      steps.shift()?.()
      if (table.reads === 3) setImmediate(() => live.finish({ ...TEST_RUN, frames: 3010 }))
    }
    const text = await textOf(
      await ask((raw) => new RunSubscriptions(table.sources).subscribeStream(lineOf(raw), 'r', live, 0)),
    )
    expect(readFrames(text).frames.map(({ id }) => id)).toEqual(Array.from({ length: 3010 }, (_, index) => index + 1))
    expect(readFrames(text).run).toMatchObject({ frames: 3010 })
  })

  it('ends when the run ends while its last page is read', async () => {
    const table = new FrameTable()
    table.rows = [toTestFrame(1)]
    const live = started()
    table.during = () => live.finish(TEST_RUN)
    const text = await textOf(
      await ask((raw) => new RunSubscriptions(table.sources).subscribeStream(lineOf(raw), 'r', live, 0)),
    )
    expect(readFrames(text)).toMatchObject({ frames: [{ id: 1 }], run: { status: 'succeeded' } })
  })

  it('ends without its last block when the end could not be written, and when the table cannot be read', async () => {
    const live = started()
    const attachments = new RunSubscriptions(new FrameTable().sources)
    const first = await ask((raw) => attachments.subscribeStream(lineOf(raw), 'r', live, 0))
    live.finish(null)
    expect(readFrames(await textOf(first)).run).toBeNull()
    const broken = new FrameTable()
    broken.during = () => Promise.reject(new Error('no database'))
    const text = await textOf(
      await ask((raw) => new RunSubscriptions(broken.sources).subscribeStream(lineOf(raw), 'r', started(), 0)),
    )
    expect(text).toBe('')
  })

  it('of a run that says it has more frames than the table has ends all the same', async () => {
    const table = new FrameTable()
    table.rows = [toTestFrame(1)]
    table.status = 'interrupted'
    const text = await textOf(
      await ask((raw) => new RunSubscriptions(table.sources).subscribeStream(lineOf(raw), 'r', null, 0)),
    )
    expect(readFrames(text)).toMatchObject({ frames: [{ id: 1 }], run: { frames: 99 } })
    expect(table.reads).toBeLessThan(5)
  })

  it('follows a run that another server reads', async () => {
    const table = new FrameTable()
    table.rows = [toTestFrame(1)]
    table.during = () => {
      if (table.reads === 2) table.rows.push(toTestFrame(2))
      if (table.reads === 3) table.status = 'succeeded'
    }
    const text = await textOf(
      await ask((raw) => new RunSubscriptions(table.sources).subscribeStream(lineOf(raw), 'r', null, 0)),
    )
    expect(readFrames(text).frames.map(({ id }) => id)).toEqual([1, 2])
    expect(text.split(': live\n\n').length).toBe(2)
  })

  it('to a browser that has left already is none', async () => {
    const attachments = new RunSubscriptions(new FrameTable().sources)
    const raw = await new Promise<ServerResponse>((resolve, reject) => {
      answer = resolve
      get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }).on(
        'error',
        () => undefined,
      )
      setTimeout(() => reject(new Error('nobody asked')), 5_000).unref()
    })
    const closed = new Promise((resolve) => raw.once('close', resolve))
    raw.destroy()
    await closed
    attachments.subscribeStream(lineOf(raw), 'r', started(), 0)
    expect(attachments.size).toBe(0)
  })

  it('to a browser that takes nothing is ended, and holds a page at most until then', async () => {
    const table = new FrameTable()
    const attachments = new RunSubscriptions(table.sources, new SessionConnections(), 200)
    const live = started()
    let raw: ServerResponse | undefined
    const stalled = await ask((response) => {
      raw = response
      attachments.subscribeStream(lineOf(response), 'r', live, 0)
    })
    stalled.pause()
    stalled.on('error', () => undefined)
    let maxBuffered = 0
    for (let seq = 1; attachments.size > 0; seq++) {
      if (seq > 400 && seq % 2) await new Promise((resolve) => setTimeout(resolve, 5))
      const fresh = [toTestFrame(seq, 100_000)]
      if (seq <= 400) table.rows.push(...fresh)
      if (seq <= 400) live.publish(fresh)
      maxBuffered = Math.max(maxBuffered, raw?.writableLength ?? 0)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(raw?.destroyed).toBe(true)
    expect(maxBuffered).toBeLessThan(4 * 1024 * 1024)
    expect(table.largest).toBeLessThan(2 * 1024 * 1024)
  })

  it('to a browser that takes nothing of the end is ended too', async () => {
    const attachments = new RunSubscriptions(new FrameTable().sources, new SessionConnections(), 200)
    const live = new LiveRun('r', 'w', emptyAnswer)
    let closed: Promise<unknown> | undefined
    const stalled = await ask((raw) => {
      closed = new Promise((resolve) => raw.once('close', resolve))
      attachments.subscribeStream(lineOf(raw), 'r', live, 0)
      // More than what the kernel takes.
      raw.write('x'.repeat(32 * 1024 * 1024))
      live.finish(TEST_RUN)
    })
    stalled.pause().on('error', () => undefined)
    await closed
    expect(attachments.size).toBe(0)
  })
})
