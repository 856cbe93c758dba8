import { type Check, JUDGE_CHECKS, type JudgeCheckType, parseCheckType } from '#contract/console/checks.ts'
import type { CheckedRun } from '#domain/checks/checkedResult.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { readCheckedRun } from '../checkedRun.ts'
import type { ExperimentResults, ExperimentRow } from '../experimentResults.ts'
import type { JudgeRuns } from './judgeRuns.ts'

/** The checks that a judge decides, with their indexes. */
export const listJudgeChecks = (checks: readonly Check[]): { check: Check; index: number }[] =>
  checks.flatMap((check, index) => (isJudgeCheck(check) ? [{ check, index }] : []))

const isJudgeCheck = ({ type }: Check): boolean => JUDGE_CHECKS.includes(parseCheckType(type).type as JudgeCheckType)

/** The distinct keys that checks name as judges, including checks that use none. */
export const listJudgeKeys = (checks: readonly Check[]): string[] => [
  ...new Set(checks.flatMap(({ judge }) => judge?.toLowerCase() ?? [])),
]

/** Runs the judges of a row. @returns `left` if a run continues on another server, or this one is stopping */
export async function judgeResult(
  { judges, results, ledger }: { judges: JudgeRuns; results: ExperimentResults; ledger: Ledger },
  { batch_id, number, run_id }: { batch_id: string; number: number; run_id: string },
  { checks, input, expected, person_id, end_user }: ExperimentRow,
  { run, passages }: { run: CheckedRun | null; passages: string[] | null },
) {
  const { query, earlier_turns = [], inputs } = input
  const judgeChecks = listJudgeChecks(checks)
  const needsBaseline = judgeChecks.some(({ check }) => check.against === 'baseline')
  const baselineRun = needsBaseline ? await results.findBaselineRun(batch_id, number) : null
  const baselineCall = baselineRun === null ? null : await ledger.findWithBody(baselineRun)
  const baseline = baselineCall && (await readCheckedRun(ledger, baselineCall, []))
  const judged = await judges.judge(
    { batch_id, run_id, person_id, end_user: end_user ?? DEFAULT_END_USER },
    judgeChecks,
    {
      question: query === undefined ? JSON.stringify(inputs ?? {}) : [...earlier_turns, query].join('\n'),
      answer: run?.text ?? null,
      expected: expected.answer ?? null,
      passages,
      baseline: baseline?.text ?? null,
    },
  )
  return judged ?? 'left'
}

const DEFAULT_END_USER = 'loupe'
