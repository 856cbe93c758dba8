import { describeSkips } from './skippedTests.ts'

export interface StageOutcome {
  passed: number
  failed: number
  /** Reasons of skipped tests. */
  skipped?: string[]
  /** One-line summary. */
  summary: string
  /** Failure output; empty if nothing failed. */
  output: string
}
type Print = (line: string) => void
export type Stages = ReadonlyMap<string, (print: Print) => Promise<StageOutcome>>

/**
 * Runs the named stages and prints them in order, goes on after one that failed, and prints last why tests were skipped and
 * `N passed, N failed` (`, N skipped`). True when nothing failed. A stage that throws has failed once. Those of `parallel`
 * run at the same time, before the others.
 */
export async function runStages(
  names: string[],
  stages: Stages,
  print: Print,
  parallel: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const sum = { passed: 0, failed: 0, skipped: new Array<string>() }
  const early = new Map<string, ReturnType<typeof runTimed>>()
  for (const name of names) if (parallel.has(name)) early.set(name, runTimed(name, stages, print))
  await Promise.all(early.values())
  for (const name of names) {
    const { outcome, seconds } = await (early.get(name) ?? runTimed(name, stages, print))
    if (outcome.output) print(`${outcome.output}\n`)
    const word = outcome.failed > 0 ? 'FAILED' : 'ok'
    print(`${name.padEnd(8)} ${word.padEnd(7)} ${seconds.padStart(6)} s  ${outcome.summary}`)
    sum.passed += outcome.passed
    sum.failed += outcome.failed
    sum.skipped.push(...(outcome.skipped ?? []))
  }
  for (const line of describeSkips(sum.skipped)) print(line)
  print(`${sum.passed} passed, ${sum.failed} failed${sum.skipped.length > 0 ? `, ${sum.skipped.length} skipped` : ''}`)
  return sum.failed === 0
}

async function runTimed(
  name: string,
  stages: Stages,
  print: Print,
): Promise<{ outcome: StageOutcome; seconds: string }> {
  const began = performance.now()
  const outcome = await runStage(name, stages, print)
  return { outcome, seconds: ((performance.now() - began) / 1000).toFixed(1) }
}

async function runStage(name: string, stages: Stages, print: Print): Promise<StageOutcome> {
  const stage = stages.get(name)
  if (!stage) return toFailedOutcome('there is no such stage', `Name stages out of ${[...stages.keys()].join(', ')}.`)
  try {
    return await stage(print)
  } catch (error) {
    return toFailedOutcome('threw an error', error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

const toFailedOutcome = (summary: string, output: string): StageOutcome => ({ passed: 0, failed: 1, summary, output })
