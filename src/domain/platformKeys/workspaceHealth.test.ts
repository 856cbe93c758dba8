import { expect, test } from 'vitest'
import type { Key } from '#contract/console/workspaces.ts'
import { makeKey } from '../../client/session.testing.ts'
import { getWorkspaceHealth } from './workspaceHealth.ts'

const key = (id: string, given: Partial<Key> = {}): Key => ({ ...makeKey('chat', id), id, ...given })

const T10 = '2026-11-21T10:00:00Z'
const T11 = '2026-11-21T11:00:00Z'

test('a workspace is as healthy as its worst key, and one that was never answered is not called healthy', () => {
  expect(getWorkspaceHealth({ keys: [key('a')] })).toMatchObject({ state: 'untested', answered_at: null, since: null })
  const used = [key('a', { last_ok_at: T10, health: 'healthy' }), key('b', { last_ok_at: T11, health: 'healthy' })]
  expect(getWorkspaceHealth({ keys: used })).toMatchObject({ state: 'healthy', answered_at: T11, failingKeys: [] })
  const refused = key('c', { health: 'refused', health_since: T11 })
  const wrongKind = key('d', { health: 'wrong_kind', health_since: T10 })
  expect(getWorkspaceHealth({ keys: [...used, wrongKind, refused] })).toMatchObject({
    state: 'refused',
    since: T11,
    failingKeys: [{ id: 'd' }, { id: 'c' }],
  })
})

test('an unreachable platform is told before all else, since the first key that could not reach it', () => {
  const keys = [
    key('a', { health: 'refused', health_since: T10 }),
    key('b', { health: 'unreachable', health_since: T11 }),
    key('c', { health: 'unreachable', health_since: '2026-11-21T10:30:00Z' }),
  ]
  expect(getWorkspaceHealth({ keys })).toMatchObject({ state: 'unreachable', since: '2026-11-21T10:30:00Z' })
})
