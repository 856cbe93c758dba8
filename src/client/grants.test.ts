import { expect, test } from 'vitest'
import { isBeyondGrants } from './grants.ts'
import { makeKey } from './session.testing.ts'

const keys = [makeKey('chat', 'Handbook assistant'), makeKey('workflow', 'Approval')]

test('a grant of single keys excludes the kinds that it does not name', () => {
  const workspace = { access: 'keys', keys } as const
  expect(isBeyondGrants(workspace, ['knowledge'])).toBe(true)
  expect(isBeyondGrants(workspace, ['chat'])).toBe(false)
  expect(isBeyondGrants(workspace, ['knowledge', 'workflow'])).toBe(false)
})

test('a whole workspace excludes nothing, also where it has no key of the kind', () => {
  expect(isBeyondGrants({ access: 'all', keys }, ['knowledge'])).toBe(false)
  expect(isBeyondGrants(undefined, ['knowledge'])).toBe(false)
})
