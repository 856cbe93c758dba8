import { randomUUID } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { toMessageBlock, toMessageEndBlock, createAnswerIds, openStream } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole, readFrames } from '../../app.testing.ts'
import { LiveRun } from '../liveRun.ts'

const CYCLE_COUNT = 1_000
const CONCURRENT_BROWSERS = 20
const ids = createAnswerIds()

describe('browsers that come and leave', () => {
  let bench: TestConsole
  let watching = 0
  beforeAll(async () => {
    bench = await TestConsole.start(undefined, { RATE_LIMIT_FACTOR: '1000' })
    const { subscribe } = LiveRun.prototype
    vi.spyOn(LiveRun.prototype, 'subscribe').mockImplementation(function (this: LiveRun, watcher) {
      const leave = subscribe.call(this, watcher)
      watching++
      return () => {
        watching--
        leave()
      }
    })
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await bench.remove()
  })

  /** One browser: it asks, and is gone once the request is out, the reply has begun, or its first bytes are there. */
  const comeAndLeave = (path: string, moment: 'asked' | 'answered' | 'reading') =>
    new Promise<void>((resolve) => {
      const request = get(bench.url + path, { agent: false, headers: { cookie: bench.cookie } })
      request.on('error', () => undefined).on('close', () => resolve())
      if (moment === 'asked') request.on('finish', () => setImmediate(() => request.destroy()))
      request.on('response', (response) => {
        response.on('error', () => undefined)
        if (moment === 'answered') request.destroy()
        else response.on('data', () => request.destroy())
      })
    })
  const isOfBrowser = (fd: string) => {
    try {
      return !readlinkSync(`/proc/self/fd/${fd}`).startsWith(bench.folder)
    } catch {
      return false
    }
  }
  const held = () => {
    const kinds: Record<string, number> = {}
    for (const kind of process.getActiveResourcesInfo()) kinds[kind] = (kinds[kind] ?? 0) + 1
    // Linux alone tells what files are open. Those of the embedded database are opened when a table is first used.
    const files = process.platform === 'linux' ? readdirSync('/proc/self/fd').filter(isOfBrowser).length : 0
    return { timers: kinds.Timeout ?? 0, lines: kinds.TCPSocketWrap ?? 0, files, watching }
  }

  it('a thousand times leave nothing behind, and the run goes on', async () => {
    let goOn: () => void = () => undefined
    bench.platform.script = async (_, response) => {
      openStream(response)
      response.write(toMessageBlock(ids, 'Half of '))
      await new Promise<void>((resolve) => (goOn = resolve))
      response.end(toMessageBlock(ids, 'an answer.') + toMessageEndBlock(ids))
    }
    const id = randomUUID()
    const whole = bench.ask({}, { 'run-id': id })
    const path = `/api/runs/${id}/events`
    const moments = ['asked', 'answered', 'reading'] as const
    const some = async (count: number) => {
      for (let done = 0; done < count; done += CONCURRENT_BROWSERS)
        await Promise.all(
          Array.from({ length: CONCURRENT_BROWSERS }, (_, one) =>
            comeAndLeave(path, moments[(done + one) % 3] ?? 'asked'),
          ),
        )
    }
    await whole
    // What is made once and kept (database statements, code) is made now.
    await some(60)
    await expect.poll(() => watching).toBe(1)
    const before = held()
    await some(CYCLE_COUNT)
    await expect.poll(() => watching).toBe(1)
    await expect
      .poll(() => {
        const { timers, lines, files } = held()
        return [timers - before.timers, lines - before.lines, files - before.files].every((more) => more <= 5)
      })
      .toBe(true)

    goOn()
    const { run, frames } = readFrames(await (await whole).text())
    expect([run?.status, frames.length]).toEqual(['succeeded', 3])
    await expect.poll(() => watching).toBe(0)
  })
})
