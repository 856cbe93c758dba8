import { Script, createContext } from 'node:vm'
import type { Check, Verdict } from '#contract/console/checks.ts'
import type { CheckedResult } from '#domain/checks/checkedResult.ts'
import { evaluateCheck, toUndecided } from '#domain/checks/evaluateCheck.ts'

/** A check is milliseconds of work, but for a person's pattern that backtracks: its time is bounded. */
const CHECK_TIMEOUT_MS = 200

const context = createContext({ evaluate: null })
const script = new Script('evaluate()')

/** What a check says; one that takes too long cannot be decided. */
export function evaluateCheckInTime(check: Check, result: CheckedResult): Verdict {
  context.evaluate = () => evaluateCheck(check, result)
  try {
    return script.runInContext(context, { timeout: CHECK_TIMEOUT_MS }) as Verdict
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return toUndecided(check, `It took longer than ${CHECK_TIMEOUT_MS} ms.`)
  } finally {
    context.evaluate = null
  }
}
