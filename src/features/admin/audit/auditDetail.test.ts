import { expect, test } from 'vitest'
import { formatAuditDetail } from './AuditPage.tsx'

const WORKSPACE = '5e4ac5a1-0459-487b-97b2-21748b75e9c4'
const KEY = '95f60a86-1146-4adb-aa4f-1a7d0471e5dc'

test('grants are named, not numbered', () => {
  const grants = [
    { workspace: WORKSPACE, workspace_name: 'Built-in platform', key: KEY, key_label: 'Handbook assistant' },
    { workspace: WORKSPACE, workspace_name: 'North', key: null, key_label: null },
  ]
  expect(formatAuditDetail({ role: 'operator', narrowed: true, grants })).toBe(
    'role: operator; access: Handbook assistant in Built-in platform, all of North',
  )
  expect(formatAuditDetail({ narrowed: true, grants: [] })).toBe('access: nothing')
  expect(formatAuditDetail({ narrowed: false, grants })).toBe('access: all workspaces')
})

test('an entry of an earlier release has ids alone', () => {
  expect(formatAuditDetail({ narrowed: true, grants: [{ workspace: WORKSPACE, key: KEY }] })).toBe(
    'access: 95f60a86 in 5e4ac5a1',
  )
})
