import { expect, test } from 'vitest'
import type { Problem } from '#contract/problem.ts'
import { KeyHealth } from './keyHealth.ts'

const refusal = (status: number): Problem => ({ kind: 'refused', message: 'No.', upstream: { status, body: {} } })

test('a key that works is noted once a minute, a refusal and the success after it at once', () => {
  const notes: unknown[] = []
  let now = 0
  const health = new KeyHealth(
    async (key_id, problem) => void notes.push([key_id, problem?.upstream?.status ?? null]),
    () => now,
  )
  health.recordSuccess({ key_id: 'a' }, 12)
  now = 30_000
  health.recordSuccess({ key_id: 'a' }, 12)
  health.recordSuccess({ key_id: 'b' }, 12)
  health.recordRefusal({ key_id: 'a' }, refusal(429))
  health.recordRefusal({ key_id: 'a' }, refusal(401))
  health.recordSuccess({ key_id: 'a' }, 12)
  now = 91_000
  health.recordSuccess({ key_id: 'a' }, 12)
  expect(notes).toEqual([
    ['a', null],
    ['b', null],
    ['a', 401],
    ['a', null],
    ['a', null],
  ])
})
