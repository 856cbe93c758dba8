import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { toMessageBlock, toMessageEndBlock, createAnswerIds } from '#support/platforms/scriptedPlatform.ts'
import type { UpstreamResponse } from '../../relay/upstream/upstream.ts'
import { SessionConnections } from '../../auth/sessionConnections.ts'
import { RunSubscriptions } from './runSubscriptions.ts'
import type { FrameWriter, NewFrame } from '../streaming/frameWriter.ts'
import { LiveRun } from '../liveRun.ts'
import { StreamReader } from '../streaming/streamReader.ts'
import type { RunOrder } from '../runOrder.ts'
import { TEST_RUN, FrameTable } from './frameTable.testing.ts'

const PAUSED_BROWSERS = 200
const READING_BROWSERS = 5
const WORD_COUNT = 80
const BYTES_PER_MIB = 1024 * 1024
const ids = createAnswerIds()
const order = {
  credential: { secret: 'app-key-of-the-crowd' },
  entry: 'chat.send',
} as unknown as RunOrder

/**
 * Browsers in a process of their own, so that what they hold is not taken for the server's: those that read on, and those
 * that wait to be told to. Each says what it was shown as one number, without what only says that the line stands.
 */
const BROWSERS_SCRIPT = `
  import { createHash } from 'node:crypto'
  import { once } from 'node:events'
  import { get } from 'node:http'
  const [socketPath, readers, paused] = process.argv.slice(1)
  const join = async () => (await once(get({ socketPath, agent: false }), 'response'))[0]
  const take = async (response) => {
    const hash = createHash('sha256')
    let rest = ''
    for await (const part of response.setEncoding('utf8')) {
      const blocks = (rest + part).split('\\n\\n')
      rest = blocks.pop()
      for (const block of blocks) if (!block.startsWith(':')) hash.update(block + '\\n\\n')
    }
    return hash.update(rest).digest('hex')
  }
  const many = (count, one) => Promise.all(Array.from({ length: count }, one))
  const waiting = await many(Number(paused), async () => (await join()).pause())
  const taken = many(Number(readers), async () => take(await join()))
  process.send(await taken)
  await once(process, 'message')
  process.send(await Promise.all(waiting.map(take)))
  process.disconnect()`

/** On a Unix socket: the kernel takes little of what a browser does not, so that the rest is the server's to hold. */
describe('two hundred browsers that take nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-crowd-'))
  const socketPath = join(folder, 'socket')
  const table = new FrameTable()
  const attachments = new RunSubscriptions(table.sources, new SessionConnections(), 300_000)
  const live = new LiveRun('r', 'w', emptyAnswer)
  const replies: ServerResponse[] = []
  let server: Server
  beforeAll(async () => {
    live.hasNoFrames = false
    server = createServer((_, raw) => {
      replies.push(raw)
      attachments.subscribeStream({ raw, hijack: () => ({}) as never, getHeaders: () => ({}) as never }, 'r', live, 0)
    })
    server.listen(socketPath)
    await once(server, 'listening')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })

  it('hold up neither the run nor those who read on, cost little, and have it all when they go on', async () => {
    const browsers = spawn(
      process.execPath,
      ['--input-type=module', '--eval', BROWSERS_SCRIPT, socketPath, String(READING_BROWSERS), String(PAUSED_BROWSERS)],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    )
    const said = async () => ((await once(browsers, 'message')) as [string[]])[0]
    const taken = said()
    while (attachments.size < PAUSED_BROWSERS + READING_BROWSERS)
      await new Promise((resolve) => setTimeout(resolve, 20))
    const before = process.memoryUsage().rss

    const frames = Array.from({ length: WORD_COUNT }, (_, index) =>
      toMessageBlock(ids, `${index} ${'x'.repeat(10_000)}`),
    )
    const write = async (_: string, fresh: NewFrame[]) => void table.rows.push(...fresh)
    const reading = new StreamReader(
      order,
      live,
      { write, capacity: () => null } as unknown as FrameWriter,
      () => undefined,
    )
    const body = Readable.from(
      [...frames, toMessageEndBlock(ids)].map((one) => Buffer.from(one)),
      { highWaterMark: 1 },
    )
    expect(await reading.read({ body: body as unknown as UpstreamResponse['body'] }, () => undefined)).toBeNull()
    live.finish({ ...TEST_RUN, frames: WORD_COUNT + 1 })

    // All of it has reached who reads, while the others have taken nothing.
    const whole = new Set(await taken)
    expect(whole.size).toBe(1)
    expect(attachments.size).toBe(PAUSED_BROWSERS)
    const held = replies.reduce((sum, { writableLength }) => sum + writableLength, 0)
    expect(held).toBeGreaterThan(PAUSED_BROWSERS * 100 * 1024)
    expect(held).toBeLessThan(PAUSED_BROWSERS * 0.25 * BYTES_PER_MIB)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * BYTES_PER_MIB)

    const late = said()
    browsers.send('go on')
    expect(new Set([...(await late), ...whole])).toEqual(whole)
    await once(browsers, 'exit')
    expect(attachments.size).toBe(0)
  })
})
