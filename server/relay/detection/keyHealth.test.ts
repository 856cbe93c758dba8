import { expect, test } from 'vitest'
import type { Problem } from '#contract/problem.ts'
import { KeyHealth } from './keyHealth.ts'

const refusal = (status: number, code?: string): Problem => ({
  kind: 'refused',
  message: 'No.',
  upstream: { status, body: code === undefined ? '<html>' : { code } },
})
const IN_USE = { isRead: true, isOwnKind: true }

function recordHealth() {
  const notes: string[] = []
  const clock = { now: 0 }
  const health = new KeyHealth(
    async (key_id, { state }) => void notes.push(`${key_id} ${state}`),
    () => clock.now,
  )
  return { notes, clock, health }
}

test('a key that works is noted at intervals, a refusal and the success after it at once', () => {
  const { notes, clock, health } = recordHealth()
  void health.recordSuccess({ key_id: 'a' }, 12, false)
  clock.now = 10_000
  void health.recordSuccess({ key_id: 'a' }, 12, false)
  void health.recordSuccess({ key_id: 'b' }, 12, false)
  void health.recordProblem({ key_id: 'a' }, refusal(429, 'too_many_requests'), IN_USE)
  void health.recordProblem({ key_id: 'a' }, refusal(401, 'unauthorized'), IN_USE)
  void health.recordSuccess({ key_id: 'a' }, 12, false)
  clock.now = 30_000
  void health.recordSuccess({ key_id: 'a' }, 12, false)
  expect(notes).toEqual(['a healthy', 'b healthy', 'a refused', 'a healthy', 'a healthy'])
})

test('a success of a key that was just replaced is noted', () => {
  const { notes, health } = recordHealth()
  void health.recordSuccess({ key_id: 'a' }, 12, true)
  health.reset({ key_id: 'a' })
  void health.recordSuccess({ key_id: 'a' }, 12, true)
  expect(notes).toEqual(['a healthy', 'a healthy'])
})

test('the first success that proves the kind is noted although another success has just been', () => {
  const { notes, health } = recordHealth()
  void health.recordSuccess({ key_id: 'a' }, 12, false)
  void health.recordSuccess({ key_id: 'a' }, 12, true)
  void health.recordSuccess({ key_id: 'a' }, 12, true)
  void health.recordSuccess({ key_id: 'a' }, 12, false)
  expect(notes).toEqual(['a healthy', 'a healthy'])
})

test.each([
  ['a refused connection', { kind: 'unreachable', message: 'Down.' }, false, 'unreachable'],
  ['a read that is cut', { kind: 'cut', message: 'Cut.' }, true, 'unreachable'],
  ['an answer that is cut', { kind: 'cut', message: 'Cut.' }, false, undefined],
  ['a gateway whose platform is down', refusal(502), true, 'unreachable'],
  ['a platform with an error of its own', refusal(503, 'provider_not_initialize'), true, undefined],
  ['a key of another app mode', refusal(400, 'not_workflow_app'), false, 'wrong_kind'],
  ['an app that cannot be used', refusal(400, 'app_unavailable'), false, 'app_unavailable'],
  ['a missing document', refusal(404, 'not_found'), true, undefined],
] as const)('%s', (_what, problem, isRead, state) => {
  const { notes, health } = recordHealth()
  void health.recordProblem({ key_id: 'a' }, problem, { isRead, isOwnKind: true })
  expect(notes).toEqual(state ? [`a ${state}`] : [])
})

test('an error about the app mode says nothing about a key that is used for another kind of operation', () => {
  const { notes, health } = recordHealth()
  void health.recordProblem({ key_id: 'a' }, refusal(400, 'not_workflow_app'), { isRead: true, isOwnKind: false })
  expect(notes).toEqual([])
})
