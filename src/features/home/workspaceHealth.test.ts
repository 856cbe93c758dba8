import { expect, test } from 'vitest'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { getWorkspaceHealth } from './workspaceHealth.ts'

const key = (id: string, given: Partial<Key> = {}): Key => ({
  id,
  kind: 'chat',
  label: id,
  hint: null,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  mode: null,
  kind_confirmed: false,
  health: 'untested',
  health_since: null,
  last_ok_at: null,
  last_problem: null,
  last_problem_at: null,
  latency_ms: null,
  exposed_at: null,
  usable: true,
  offers: [],
  capabilities: {},
  ...given,
})

test('a workspace is as well as its keys, and one that nobody has used is not called healthy', () => {
  expect(getWorkspaceHealth({ keys: [key('a')] })).toMatchObject({ state: 'never tested', answered_at: null })
  const used = [key('a', { last_ok_at: '2026-11-21T10:00:00Z' }), key('b', { last_ok_at: '2026-11-21T11:00:00Z' })]
  expect(getWorkspaceHealth({ keys: used })).toMatchObject({ state: 'healthy', answered_at: '2026-11-21T11:00:00Z' })
  const refused = key('c', {
    last_problem: { kind: 'refused', message: 'No.' },
    last_problem_at: '2026-11-20T00:00:00Z',
  })
  expect(getWorkspaceHealth({ keys: [...used, refused] })).toMatchObject({
    state: 'refused',
    rejectedKeys: [{ id: 'c' }],
  })
})
