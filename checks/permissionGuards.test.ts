import { expect, it } from 'vitest'
import { listRestrictedCalls, listUnguardedPaths } from './permissionGuards.ts'

it('no screen leads to a call that somebody may not make without asking whether they may', () => {
  expect(listRestrictedCalls().length).toBeGreaterThan(50)
  expect(listUnguardedPaths()).toEqual([])
})
