import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import { LiveRun } from '../liveRun.ts'
import type { RunOrder } from '../runOrder.ts'
import type { StreamReader } from '../streaming/streamReader.ts'
import { followRun } from './followRun.ts'

it('a run that is handed over while its events are being opened is not read', async () => {
  const handOver = new AbortController()
  const body = new PassThrough()
  const read = vi.fn(() => Promise.resolve(null))
  const upstream = {
    send: () => {
      handOver.abort()
      return Promise.resolve({ status: 200, contentType: 'text/event-stream', body })
    },
  } as unknown as UpstreamClient
  const result = await followRun(
    {
      order: { body: {}, credential: {} } as RunOrder,
      run: new LiveRun('r', 'w', { ...emptyRun, workflow_run_id: '11111111-1111-4111-8111-111111111111' }),
      streamReader: { read, lastSeq: 5, gaps: [] } as unknown as StreamReader,
      onRunIds: () => undefined,
      hasEnded: () => expect.unreachable(),
      signal: handOver.signal,
      onResumed: () => undefined,
    },
    upstream,
  )
  expect(result).toBe('stopped')
  expect(read).not.toHaveBeenCalled()
  expect(body.destroyed).toBe(true)
})

it('a run with an id that cannot be requested has no events to follow', async () => {
  const upstream = { send: () => expect.unreachable() } as unknown as UpstreamClient
  const result = await followRun(
    {
      order: { body: {}, credential: {} } as RunOrder,
      run: new LiveRun('r', 'w', { ...emptyRun, workflow_run_id: 'run 17' }),
      streamReader: { lastSeq: 5, gaps: [] } as unknown as StreamReader,
      onRunIds: () => undefined,
      hasEnded: () => expect.unreachable(),
      signal: new AbortController().signal,
    },
    upstream,
  )
  expect(result).toBe('refused')
})
