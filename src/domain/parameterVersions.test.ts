import { expect, test } from 'vitest'
import type { Resource } from '#contract/console/resources.ts'
import { findVersionAt } from './parameterVersions.ts'

const version = (id: string, first_seen: string, last_seen = first_seen): Resource => ({
  kind: 'parameters',
  id,
  workspace: 'w',
  label: null,
  parent: 'k',
  first_seen,
  last_seen,
  payload: {},
})

test('an app had the parameters that were seen last before', () => {
  const versions = [version('old', '2026-11-21T10:00:00Z'), version('new', '2026-11-21T12:00:00Z')]
  expect(findVersionAt(versions, Date.parse('2026-11-21T11:00:00Z'))?.id).toBe('old')
  expect(findVersionAt(versions, Date.parse('2026-11-21T12:00:00Z'))?.id).toBe('new')
  expect(findVersionAt(versions, Date.parse('2026-11-21T09:00:00Z'))).toBeNull()
})

test('an app that went back to earlier parameters has those', () => {
  const versions = [
    version('first', '2026-11-21T10:00:00Z', '2026-11-21T15:00:00Z'),
    version('between', '2026-11-21T12:00:00Z', '2026-11-21T12:30:00Z'),
  ]
  expect(findVersionAt(versions, Date.parse('2026-11-21T12:31:00Z'))?.id).toBe('between')
  expect(findVersionAt(versions, Date.parse('2026-11-21T14:00:00Z'))?.id).toBe('first')
})
