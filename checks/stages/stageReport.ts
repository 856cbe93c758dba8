import { describeSkips } from './skippedTests.ts'

export interface StageOutcome {
  passed: number
  failed: number
  /** Reasons of skipped tests. */
  skipped?: string[]
  /** Milliseconds of each test file. */
  durations?: ReadonlyMap<string, number>
  /** One-line summary. */
  summary: string
  /** Failure output; empty if nothing failed. */
  output: string
}
export interface RunOptions {
  /** Stages that run at the same time, before the others. */
  parallel?: ReadonlySet<string>
  /** Prints the files that took longest. */
  showsSlowest?: boolean
}
const SLOWEST_COUNT = 20
type Print = (line: string) => void
export type RunStage = (print: Print) => Promise<StageOutcome>
export type Stages = ReadonlyMap<string, RunStage>

/**
 * Runs the named stages and prints them in order, goes on after one that failed, and prints last why tests were skipped and
 * `N passed, N failed` (`, N skipped`). True when nothing failed. A stage that throws has failed once.
 */
export async function runStages(
  names: string[],
  stages: Stages,
  print: Print,
  { parallel = new Set(), showsSlowest = false }: RunOptions = {},
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
    if (showsSlowest) for (const line of describeSlowest(outcome.durations ?? new Map())) print(line)
    sum.passed += outcome.passed
    sum.failed += outcome.failed
    sum.skipped.push(...(outcome.skipped ?? []))
  }
  for (const line of describeSkips(sum.skipped)) print(line)
  print(`${sum.passed} passed, ${sum.failed} failed${sum.skipped.length > 0 ? `, ${sum.skipped.length} skipped` : ''}`)
  return sum.failed === 0
}

function describeSlowest(durations: ReadonlyMap<string, number>): string[] {
  return [...durations]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST_COUNT)
    .map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(23)} s  ${file}`)
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
