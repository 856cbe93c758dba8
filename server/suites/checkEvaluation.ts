import type { Check, Verdict } from '#contract/console/checks.ts'
import type { CheckedResult } from '#domain/checks/checkedResult.ts'
import { toUndecided } from '#domain/checks/evaluateCheck.ts'
import type { UnreadableParameter } from '#domain/checks/jsonChecks.ts'
import { SuiteThread } from './suiteThread.ts'

/** Milliseconds for all checks of a case, and for reading all that are saved at once. */
const CHECK_BUDGET_MS = 1_000

const caseThread = new SuiteThread(CHECK_BUDGET_MS)
/** Saving does not wait for the cases of experiments. */
const readingThread = new SuiteThread(CHECK_BUDGET_MS)

/** The verdict of each check; those that remain after the time limit are undecided. */
export async function evaluateChecks(checks: readonly Check[], result: CheckedResult): Promise<Verdict[]> {
  const { judgements, ...rest } = result
  const job = {
    json: JSON.stringify({ checks, result: rest }),
    judgements: checks.map((check) => judgements?.get(check)),
  }
  const { answers, failure } = await caseThread.run<Verdict>(job, checks.length)
  return checks.map((check, index) => answers[index] ?? toUndecided(check, `The checks of this case ${failure}.`))
}

/** The first check that could never be decided, or that takes too long to read. */
export async function findUnreadableCheck(
  checks: readonly Check[],
): Promise<(UnreadableParameter & { index: number }) | null> {
  const { answers, failure } = await readingThread.run<UnreadableParameter | null>(
    { json: JSON.stringify({ checks }) },
    checks.length,
  )
  const index = answers.findIndex((answer) => answer !== null)
  if (index >= 0) return { index, ...(answers[index] as UnreadableParameter) }
  return answers.length === checks.length ? null : { index: answers.length, field: 'value', message: failure }
}
