import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { DeafReaders } from '#support/platforms/deafReaders.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { QUIET_LIMIT_MS } from './followRun.ts'
import { WorkflowHost } from './workflowHost.testing.ts'

describe('a run whose platform may send its reader nothing but pings', () => {
  const bench = TestConsole.forFile()
  let host: WorkflowHost
  let readers: DeafReaders
  let detail: Record<string, unknown>
  beforeEach(() => {
    host = new WorkflowHost()
    readers = new DeafReaders()
    detail = { id: host.workflow_run_id, status: 'running', outputs: {} }
    const snapshot = () => [host.started(), host.node('started', 'one')]
    host.onRun = (response) => readers.add(response, snapshot())
    host.onEvents = (response) => readers.add(response, snapshot())
    bench.platform.script = (seen, response) =>
      seen.path.startsWith(`/v1/workflows/run/${host.workflow_run_id}`)
        ? sendError(response, 200, detail)
        : host.script(seen, response)
  })
  afterEach(() => {
    vi.useRealTimers()
    readers.close()
  })

  const read = (id: string) => bench.json<Run & { answer: RunState }>('GET', `/api/runs/${id}`)
  const startRun = async (): Promise<string> => {
    const id = randomUUID()
    const body = { inputs: { a: 1 }, user: 'mira', response_mode: 'streaming' }
    await bench.fetch('POST', `/api/keys/${bench.keys.workflow}/workflows/run`, body, {
      'run-id': id,
      prefer: 'respond-async',
    })
    await expect.poll(async () => (await read(id)).answer.nodes).toHaveLength(1)
    return id
  }
  /** A run that was taken up again, by a reader that goes deaf now; the time of the quiet limit is the test's. */
  const startDeafRun = async (): Promise<string> => {
    const id = await startRun()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], now: Date.now() })
    readers.breakOff()
    await vi.waitFor(() => expect(host.eventRequests).toHaveLength(1), { timeout: 30_000 })
    readers.deafen()
    return id
  }
  const listDetailRequests = () => bench.platform.requests.filter(({ path }) => path.startsWith('/v1/workflows/run/'))

  it('is not taken up in the moment in which the connection broke', async () => {
    const id = await startRun()
    readers.breakOff()
    await expect.poll(() => host.eventRequests).toHaveLength(1)
    expect(readers.deafCount).toBe(0)
    readers.end(host.finished())
    await expect.poll(async () => (await read(id)).status).toBe('succeeded')
  })

  it('has the end of the platform’s record where the reader is deaf, and the duration of the record', async () => {
    const id = await startDeafRun()
    detail = { ...detail, status: 'succeeded', outputs: { text: 'done' }, elapsed_time: 0.4 }
    await vi.advanceTimersByTimeAsync(QUIET_LIMIT_MS)
    vi.useRealTimers()
    await expect.poll(async () => (await read(id)).status).toBe('succeeded')
    const run = await read(id)
    expect(run).toMatchObject({ duration_ms: 400, answer: { outputs: { text: 'done' } }, gaps: [{ after_frame: 3 }] })
    expect(readers.size).toBe(0)
  })

  it('is read over a new connection while it goes on, and the deaf one is not closed before the end', async () => {
    const id = await startDeafRun()
    await vi.advanceTimersByTimeAsync(QUIET_LIMIT_MS)
    await vi.waitFor(() => expect(host.eventRequests).toHaveLength(2), { timeout: 30_000 })
    expect(readers.size).toBe(2)
    // A silent node looks like a deaf reader: the platform is asked again, and no third reader comes.
    const askedCount = listDetailRequests().length
    await vi.advanceTimersByTimeAsync(QUIET_LIMIT_MS)
    await vi.waitFor(() => expect(listDetailRequests().length).toBeGreaterThan(askedCount), { timeout: 30_000 })
    vi.useRealTimers()
    readers.write(host.node('finished', 'one'))
    readers.end(host.finished())
    await expect.poll(async () => (await read(id)).status).toBe('succeeded')
    expect((await read(id)).answer.nodes).toMatchObject([{ status: 'succeeded' }])
    expect(host.eventRequests).toHaveLength(2)
    await expect.poll(() => readers.size).toBe(0)
  })

  it('that ended before it was taken up lasted as long as the platform says', async () => {
    const id = await startRun()
    host.onEvents = (response) => {
      readers.add(response, [host.started()])
      readers.end(host.finished({ elapsed_time: 0.3 }))
    }
    readers.breakOff()
    await expect.poll(async () => (await read(id)).status).toBe('succeeded')
    expect(await read(id)).toMatchObject({ duration_ms: 300, problem: null })
  })
})
