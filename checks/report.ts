export interface Outcome {
  passed: number
  failed: number
  /** One line about it. */
  said: string
  /** All that a person needs to mend it; empty when there is nothing to mend. */
  output: string
}
export type Stages = ReadonlyMap<string, () => Promise<Outcome>>

/**
 * Runs the named stages and prints them in order, goes on after one that failed, and prints last `N passed, N failed`. True
 * when nothing failed. A stage that throws has failed once. Those of one core run `beside` each other, before the others.
 */
export async function runStages(
  names: string[],
  stages: Stages,
  print: (line: string) => void,
  beside: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const sum = { passed: 0, failed: 0 }
  const early = new Map<string, ReturnType<typeof time>>()
  for (const name of names) if (beside.has(name)) early.set(name, time(name, stages))
  await Promise.all(early.values())
  for (const name of names) {
    const { outcome, seconds } = await (early.get(name) ?? time(name, stages))
    if (outcome.output) print(`${outcome.output}\n`)
    const word = outcome.failed > 0 ? 'FAILED' : 'ok'
    print(`${name.padEnd(8)} ${word.padEnd(7)} ${seconds.padStart(6)} s  ${outcome.said}`)
    sum.passed += outcome.passed
    sum.failed += outcome.failed
  }
  print(`${sum.passed} passed, ${sum.failed} failed`)
  return sum.failed === 0
}

async function time(name: string, stages: Stages): Promise<{ outcome: Outcome; seconds: string }> {
  const began = performance.now()
  const outcome = await runStage(name, stages)
  return { outcome, seconds: ((performance.now() - began) / 1000).toFixed(1) }
}

async function runStage(name: string, stages: Stages): Promise<Outcome> {
  const stage = stages.get(name)
  if (!stage) return broken('there is no such stage', `Name stages out of ${[...stages.keys()].join(', ')}.`)
  try {
    return await stage()
  } catch (error) {
    return broken('broke', error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

const broken = (said: string, output: string): Outcome => ({ passed: 0, failed: 1, said, output })
