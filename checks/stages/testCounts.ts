import { relative } from 'node:path'
import { z } from 'zod'
import { parseSkipReason } from '#support/skippedTitles.ts'
import { ROOT_FOLDER } from '../runCommand.ts'

/** Result of a test runner. A run without tests, or one that failed without a failed test, counts as one failure. */
export interface TestCounts {
  passed: number
  failed: number
  /** The reason of each skipped test, or `NO_REASON`. */
  skipped: string[]
  /** For each failed test its file, its name, what was expected and where; empty where the runner reports none. */
  failures: string[]
  /** Milliseconds of each test file. */
  durations: ReadonlyMap<string, number>
}

export const NO_REASON = 'no reason given'

const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      startTime: z.number().optional(),
      endTime: z.number().optional(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
})

/** Reads the JSON report of Vitest. `ok` is whether it ended with 0: a file that cannot be loaded counts no failed test. */
export function vitestCounts(report: unknown, ok: boolean): TestCounts {
  const files = VitestReport.safeParse(report).data?.testResults ?? []
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(ROOT_FOLDER, name) })),
  )
  const failed = tests.filter(({ status }) => status === 'failed')
  // It cannot be loaded, or what runs before its tests has failed.
  const broken = files.filter(
    (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
  )
  return toFinalCounts(
    {
      passed: tests.filter(({ status }) => status === 'passed').length,
      failed: failed.length + broken.length,
      skipped: tests
        .filter(({ status }) => !['passed', 'failed'].includes(status))
        .map(({ fullName }) => parseSkipReason(fullName) ?? NO_REASON),
      failures: [
        ...broken.map(({ name, message }) =>
          describeFailure(relative(ROOT_FOLDER, name), 'its tests cannot begin', message ?? ''),
        ),
        ...failed.map(({ file, fullName, failureMessages }) =>
          describeFailure(file, fullName, (failureMessages ?? []).join('\n')),
        ),
      ],
      durations: new Map(
        files.map(({ name, startTime = 0, endTime = 0 }) => [relative(ROOT_FOLDER, name), endTime - startTime]),
      ),
    },
    ok,
  )
}

const PlaywrightTest = z.object({
  status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
  annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })).default([]),
  results: z
    .array(
      z.object({
        duration: z.number().default(0),
        errors: z.array(z.object({ message: z.string().optional() })).default([]),
      }),
    )
    .default([]),
})
const PlaywrightSpec = z.object({
  title: z.string(),
  file: z.string().default(''),
  line: z.number().optional(),
  tests: z.array(PlaywrightTest),
})
const PlaywrightSuite = z.object({
  specs: z.array(PlaywrightSpec).default([]),
  get suites(): z.ZodOptional<z.ZodArray<typeof PlaywrightSuite>> {
    return z.array(PlaywrightSuite).optional()
  },
})

/** Reads the JSON report of Playwright. A test that passed on retry counts as failed. */
export function playwrightCounts(report: unknown, ok: boolean): TestCounts {
  const specs = specsIn(PlaywrightSuite.safeParse(report).data)
  const tests = specs.flatMap(({ tests, ...spec }) => tests.map((test) => ({ ...test, ...spec })))
  const failed = tests.filter(({ status }) => status === 'unexpected' || status === 'flaky')
  return toFinalCounts(
    {
      passed: tests.filter(({ status }) => status === 'expected').length,
      failed: failed.length,
      skipped: tests
        .filter(({ status }) => status === 'skipped')
        .map(({ annotations }) => annotations.find(({ description }) => description)?.description ?? NO_REASON),
      failures: failed.map(({ file, line, title, results }) => {
        const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message ?? ''))
        return describeFailure(`e2e/${file}:${line ?? ''}`, title, messages.join('\n'))
      }),
      durations: sumDurations(tests),
    },
    ok,
  )
}

function sumDurations(tests: readonly { file: string; results: { duration: number }[] }[]): Map<string, number> {
  const durations = new Map<string, number>()
  for (const { file, results } of tests)
    for (const { duration } of results) durations.set(`e2e/${file}`, (durations.get(`e2e/${file}`) ?? 0) + duration)
  return durations
}

function specsIn(suite: z.infer<typeof PlaywrightSuite> | undefined): z.infer<typeof PlaywrightSpec>[] {
  return suite ? [...suite.specs, ...(suite.suites ?? []).flatMap(specsIn)] : []
}

/** Stack frames inside packages and Node do not help to find the failure. */
function describeFailure(file: string, title: string, message: string): string {
  const lines = message.split('\n').filter((line) => !/^\s+at .*(node_modules|node:internal)/.test(line))
  return [`FAILED ${file}: ${title}`, ...lines.map((line) => `  ${line}`)].join('\n')
}

function toFinalCounts(counts: TestCounts, ok: boolean): TestCounts {
  const ran = counts.passed + counts.failed > 0
  return counts.failed === 0 && !(ok && ran) ? { ...counts, failed: 1 } : counts
}
