import { z } from 'zod'

/** How many tests passed and failed. A run without a test, or one that ended badly with none failed, has failed once. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
})
const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})

/** Reads the JSON report of Vitest. `ok` is whether it ended with 0: a file that cannot be loaded counts no failed test. */
export function vitestCounts(report: unknown, ok: boolean): Counts {
  const read = VitestReport.safeParse(report)
  if (!read.success) return settle({ passed: 0, failed: 0, skipped: 0 }, ok)
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests, numTodoTests } = read.data
  return settle({ passed, failed, skipped: numPendingTests + numTodoTests }, ok)
}

/** Reads the JSON report of Playwright. A test that passed at the second try has failed. */
export function playwrightCounts(report: unknown, ok: boolean): Counts {
  const read = PlaywrightReport.safeParse(report)
  if (!read.success) return settle({ passed: 0, failed: 0, skipped: 0 }, ok)
  const { expected, unexpected, flaky, skipped } = read.data.stats
  return settle({ passed: expected, failed: unexpected + flaky, skipped }, ok)
}

function settle(counts: Counts, ok: boolean): Counts {
  const ran = counts.passed + counts.failed > 0
  return counts.failed === 0 && !(ok && ran) ? { ...counts, failed: 1 } : counts
}
