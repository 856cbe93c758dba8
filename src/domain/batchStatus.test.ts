import { expect, test } from 'vitest'
import { getBatchStatus } from './batchStatus.ts'

const NO_ROWS = { waiting: 0, running: 0, succeeded: 0, failed: 0, stopped: 0, unknown: 0 }
const endedStatus = (counts: Partial<typeof NO_ROWS>) =>
  getBatchStatus({ state: 'ended', pause: null, counts: { ...NO_ROWS, ...counts } })

test('a finished batch says how many rows have no result, and has the state of the worst', () => {
  expect(endedStatus({ succeeded: 11, failed: 1 })).toEqual({ status: 'finished, 1 failed', state: 'failed' })
  expect(endedStatus({ failed: 1200, unknown: 2, stopped: 3 })).toEqual({
    status: 'finished, 1,200 failed, 2 unknown, 3 stopped',
    state: 'failed',
  })
  expect(endedStatus({ unknown: 2, stopped: 1 })).toMatchObject({ state: 'unknown' })
  expect(endedStatus({ succeeded: 12 })).toEqual({ status: 'completed' })
  expect(endedStatus({ succeeded: 1, stopped: 4 })).toEqual({ status: 'finished, 4 stopped', state: 'stopped' })
})

test('a batch that has not ended has the status of its state, and one that was never started is queued', () => {
  const counts = { ...NO_ROWS, failed: 1, waiting: 3 }
  expect(getBatchStatus({ state: 'running', pause: null, counts })).toEqual({ status: 'running' })
  expect(getBatchStatus({ state: 'paused', pause: 'person', counts })).toEqual({ status: 'paused' })
  expect(getBatchStatus({ state: 'paused', pause: 'not_started', counts })).toEqual({ status: 'queued' })
})
