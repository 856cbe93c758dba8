import { expect, test } from 'vitest'
import { toSkippedTitle } from '#support/skippedTitles.ts'
import { NO_REASON, playwrightCounts, vitestCounts } from './testCounts.ts'

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'todo'
const unitTest = (status: Status, fullName = 'a test', failureMessages: string[] = []) => ({
  status,
  fullName,
  failureMessages,
})
const toVitestReport = (...assertionResults: ReturnType<typeof unitTest>[]) => ({
  testResults: [{ name: '/nowhere/a.test.ts', status: 'passed', message: '', assertionResults }],
})
const spec = (status: 'expected' | 'unexpected' | 'flaky' | 'skipped', message?: string, description?: string) => ({
  title: 'a spec',
  file: 'a.spec.ts',
  line: 7,
  tests: [
    {
      status,
      annotations: description ? [{ type: 'skip', description }] : [],
      results: [{ errors: message ? [{ message }] : [] }],
    },
  ],
})
const toPlaywrightReport = (...specs: ReturnType<typeof spec>[]) => ({ suites: [{ suites: [{ specs }] }] })

test('tests that passed, failed and were skipped are counted as the runner says', () => {
  expect(vitestCounts(toVitestReport(unitTest('passed'), unitTest('passed')), true)).toMatchObject({
    passed: 2,
    failed: 0,
  })
  const title = toSkippedTitle('a suite', 'no PostgreSQL (Debian: apt install postgresql)')
  const mixed = toVitestReport(
    unitTest('passed'),
    unitTest('failed'),
    unitTest('skipped', `${title} a test`),
    unitTest('todo'),
  )
  expect(vitestCounts(mixed, false)).toMatchObject({
    passed: 1,
    failed: 1,
    skipped: ['no PostgreSQL (Debian: apt install postgresql)', NO_REASON],
  })
  expect(playwrightCounts(toPlaywrightReport(spec('expected')), true)).toMatchObject({
    passed: 1,
    failed: 0,
    skipped: [],
  })
  const specs = toPlaywrightReport(spec('expected'), spec('unexpected'), spec('skipped', undefined, 'no such program'))
  expect(playwrightCounts(specs, false)).toMatchObject({ passed: 1, failed: 1, skipped: ['no such program'] })
})

test('a failed test is described by its file, its name, what was expected and where', () => {
  const message = [
    'AssertionError: expected 1 to be 2',
    '    at /project/server/a.test.ts:7:21',
    '    at run (/project/node_modules/vitest/dist/run.js:1:1)',
  ].join('\n')
  const { failures } = vitestCounts(toVitestReport(unitTest('failed', 'a suite a test', [message])), false)
  expect(failures).toHaveLength(1)
  for (const part of ['a.test.ts', 'a suite a test', 'expected 1 to be 2', 'server/a.test.ts:7:21'])
    expect(failures[0]).toContain(part)
  expect(failures[0]).not.toContain('node_modules')
  const [described] = playwrightCounts(toPlaywrightReport(spec('unexpected', 'Expected: 1')), false).failures
  expect(described).toBe('FAILED e2e/a.spec.ts:7: a spec\n  Expected: 1')
})

test('a file that cannot be loaded has failed, and says why', () => {
  const report = {
    testResults: [
      { name: '/nowhere/b.test.ts', status: 'failed', message: 'No test suite found', assertionResults: [] },
    ],
  }
  const { failed, failures } = vitestCounts(report, false)
  expect(failed).toBe(1)
  expect(failures.join()).toContain('No test suite found')
})

test('a test that passed at the second try has failed', () => {
  expect(playwrightCounts(toPlaywrightReport(spec('expected'), spec('flaky')), true)).toMatchObject({
    passed: 1,
    failed: 1,
  })
})

test('a runner that ended badly with no failed test has failed once', () => {
  expect(vitestCounts(toVitestReport(unitTest('passed')), false)).toMatchObject({ passed: 1, failed: 1 })
  expect(playwrightCounts(toPlaywrightReport(spec('expected')), false)).toMatchObject({ passed: 1, failed: 1 })
})

test('no test at all, or no report, has failed', () => {
  expect(vitestCounts(toVitestReport(), true)).toMatchObject({ passed: 0, failed: 1 })
  expect(playwrightCounts(toPlaywrightReport(spec('skipped')), true)).toMatchObject({ passed: 0, failed: 1 })
  for (const report of [null, {}, 'text']) {
    expect(vitestCounts(report, true).failed).toBe(1)
    expect(playwrightCounts(report, true).failed).toBe(1)
  }
})
