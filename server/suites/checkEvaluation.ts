import { Script, createContext } from 'node:vm'
import { type Check, type CheckType, parseCheckType, type Verdict } from '#contract/console/checks.ts'
import type { CheckedResult } from '#domain/checks/checkedResult.ts'
import { evaluateCheck, toUndecided } from '#domain/checks/evaluateCheck.ts'

/** These hold a person's pattern, which may backtrack without end; the work of the others is bounded by the sizes of texts. */
const PATTERN_CHECKS: readonly CheckType[] = ['regex', 'is-json', 'contains-json']
const CHECK_TIMEOUT_MS = 200
/** For a check that had no processor for most of its time, as on a busy server. */
const SECOND_TIMEOUT_MS = 500

const context = createContext({ evaluate: null })
const script = new Script('evaluate()')

/** What a check says; a pattern that takes too long cannot be decided. */
export function evaluateCheckInTime(check: Check, result: CheckedResult): Verdict {
  if (!PATTERN_CHECKS.includes(parseCheckType(check.type).type)) return evaluateCheck(check, result)
  const began = process.threadCpuUsage()
  const verdict = evaluateWithin(CHECK_TIMEOUT_MS, check, result)
  if (verdict) return verdict
  const { user, system } = process.threadCpuUsage(began)
  const wasRunning = (user + system) / 1_000 > CHECK_TIMEOUT_MS / 2
  return (
    (wasRunning ? null : evaluateWithin(SECOND_TIMEOUT_MS, check, result)) ??
    toUndecided(check, `It took longer than ${CHECK_TIMEOUT_MS} ms.`)
  )
}

/** Null where it took longer. */
function evaluateWithin(timeout: number, check: Check, result: CheckedResult): Verdict | null {
  context.evaluate = () => evaluateCheck(check, result)
  try {
    return script.runInContext(context, { timeout }) as Verdict
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return null
  } finally {
    context.evaluate = null
  }
}
