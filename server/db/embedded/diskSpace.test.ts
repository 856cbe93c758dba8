import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Batch } from '#contract/console/batches.ts'
import { sendAnswer } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole, readFrames } from '../../app.testing.ts'
import { openEventStream } from '../../runs/subscriptions/livePages.testing.ts'
import { DiskSpaceMonitor } from './diskSpace.ts'

const GIB_BYTES = 1024 ** 3
const toDiskStats = (all: number, free: number) => ({ bsize: 4096, blocks: all / 4096, bavail: free / 4096 })

it.each([
  [252 * GIB_BYTES, 0.6 * GIB_BYTES, false],
  [252 * GIB_BYTES, 0.4 * GIB_BYTES, true],
  [4 * GIB_BYTES, 0.3 * GIB_BYTES, false],
  [4 * GIB_BYTES, 0.1 * GIB_BYTES, true],
  [GIB_BYTES, GIB_BYTES / 10, false],
  [GIB_BYTES, GIB_BYTES / 20, true],
])('of a disk of %d bytes %d free ones are too few: %s', async (all, free, isLow) => {
  const space = new DiskSpaceMonitor('/', () => Promise.resolve(toDiskStats(all, free)))
  await space.check()
  expect(space.lockReason !== null).toBe(isLow)
})

describe('a console whose disk is full', () => {
  const bench = TestConsole.forFile()
  let free = 100 * GIB_BYTES
  beforeAll(async () => {
    await bench.closeConsole()
    bench.readDisk = () => Promise.resolve(toDiskStats(250 * GIB_BYTES, free))
    await bench.openConsole()
  })

  it('takes no run, and says why; what is kept is read, exported and deleted; it goes on when there is room', async () => {
    bench.platform.script = (_seen, response) => sendAnswer(response, 'one')
    const { id } = await bench.json<Batch>('POST', '/api/batches', {
      key: bench.keys.completion,
      name: 'Later',
      total: 1,
      settings: { user: 'tester' },
    })
    await bench.json('POST', `/api/batches/${id}/rows`, { first: 1, rows: [{ inputs: { text: 'a' } }] })
    free = GIB_BYTES / 10
    const refused = await vi.waitFor(
      async () => {
        const response = await bench.ask()
        expect(response.status).toBe(507)
        return (await response.json()) as { message: string }
      },
      { interval: 200 },
    )
    expect(refused.message).toContain('has 102 MiB left, and 512 MiB stay free.')
    const before = bench.platform.requests.length
    expect((await bench.fetch('POST', '/api/session', { token: 'setup-token-of-the-tests' })).status).toBe(200)
    expect((await bench.fetch('GET', '/api/runs')).status).toBe(200)
    const followed = await openEventStream(
      bench.url,
      { cookie: bench.cookie },
      [{ run: randomUUID(), after: 0 }],
      () => undefined,
    )
    followed.destroy()
    expect((await bench.fetch('GET', `/api/batches/${id}/export?format=csv`)).status).toBe(200)
    expect((await bench.fetch('POST', `/api/batches/${id}/start`, {})).status).toBe(507)
    expect((await bench.fetch('DELETE', `/api/batches/${id}`)).status).toBe(200)
    expect(bench.platform.requests.length).toBe(before)
    free = GIB_BYTES
    await vi.waitFor(
      async () => expect(readFrames(await (await bench.ask()).text()).run).toMatchObject({ status: 'succeeded' }),
      { interval: 200 },
    )
  })
})
