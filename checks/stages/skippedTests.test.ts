import { expect, test } from 'vitest'
import { NO_REASON } from './testCounts.ts'
import { findForbiddenSkips } from './skippedTests.ts'

const reasons = [
  'no PostgreSQL (Debian: apt install postgresql)',
  'no systemd',
  'no upgrade/data-f92af02.tgz in ../shared or SHARED_DATA',
  NO_REASON,
]

test('in CI a test may be skipped only for what no CI machine has', () => {
  expect(findForbiddenSkips(reasons, true)).toEqual([reasons[0], NO_REASON])
})

test('elsewhere a test may be skipped for any reason, but not without one', () => {
  expect(findForbiddenSkips(reasons, false)).toEqual([NO_REASON])
})
