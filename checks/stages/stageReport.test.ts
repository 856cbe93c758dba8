import { expect, test } from 'vitest'
import { runCommand } from '../runCommand.ts'
import { type StageOutcome, runStages } from './stageReport.ts'

const toOutcome = (passed: number, failed: number, output = '', skipped: string[] = []): StageOutcome => ({
  passed,
  failed,
  skipped,
  summary: 'summary',
  output,
})
const runAndPrint = async (names: string[], stages: Record<string, () => Promise<StageOutcome>>) => {
  const lines: string[] = []
  // As `console.log`, which prints whatever else it is given.
  const print = (...printed: unknown[]) => void lines.push(printed.join(' '))
  const ok = await runStages(names, new Map(Object.entries(stages)), print)
  return { ok, lines, last: lines.at(-1) }
}

test('all that passed: one line a stage, then the sum', async () => {
  const { ok, lines, last } = await runAndPrint(['a', 'b'], {
    a: async () => toOutcome(1, 0),
    b: async () => toOutcome(41, 0),
  })
  expect(ok).toBe(true)
  expect(lines).toHaveLength(3)
  expect(last).toBe('42 passed, 0 failed')
})

test('the files that took longest are named where that is asked for, twenty of them at most', async () => {
  const durations = new Map(Array.from({ length: 30 }, (_, index) => [`file${index}.test.ts`, index * 1_000]))
  const stages = new Map([['unit', async () => ({ ...toOutcome(30, 0), durations })]])
  const lines: string[] = []
  await runStages(['unit'], stages, (line) => lines.push(line), { showsSlowest: true })
  expect(lines.slice(1, -1)).toHaveLength(20)
  expect(lines[1]?.trim()).toBe('29.0 s  file29.test.ts')
  lines.length = 0
  await runStages(['unit'], stages, (line) => lines.push(line))
  expect(lines).toHaveLength(2)
})

test('a stage that failed shows its whole output, and the next one still runs', async () => {
  const { ok, lines, last } = await runAndPrint(['a', 'b'], {
    a: async () => toOutcome(3, 2, 'line one\nline two'),
    b: async () => toOutcome(1, 0),
  })
  expect(ok).toBe(false)
  expect(lines[0]).toContain('line one\nline two')
  expect(last).toBe('4 passed, 2 failed')
})

test('a stage that throws, or that nobody knows, has failed', async () => {
  const { ok, lines, last } = await runAndPrint(['a', 'c'], { a: () => Promise.reject(new Error('out of disk')) })
  expect(ok).toBe(false)
  expect(lines.join('\n')).toContain('out of disk')
  expect(last).toBe('0 passed, 2 failed')
})

test('skipped tests are listed by their reason and counted in the last line', async () => {
  const { ok, lines } = await runAndPrint(['a', 'b'], {
    a: async () => toOutcome(1, 0, '', ['no PostgreSQL']),
    b: async () => toOutcome(2, 0, '', ['no nginx', 'no PostgreSQL']),
  })
  expect(ok).toBe(true)
  expect(lines.slice(2)).toEqual(['2 skipped: no PostgreSQL', '1 skipped: no nginx', '3 passed, 0 failed, 3 skipped'])
})

test('stages that run beside each other are printed in order, and the next one comes after both', async () => {
  const seen: string[] = []
  const first = Promise.withResolvers<void>()
  const stages = new Map([
    ['a', () => first.promise.then(() => (seen.push('a'), toOutcome(1, 0)))],
    ['b', async () => (first.resolve(), toOutcome(0, 1, 'why'))],
    ['c', async () => (seen.push('c'), toOutcome(1, 0))],
  ])
  const lines: string[] = []
  expect(await runStages(['a', 'b', 'c'], stages, (line) => lines.push(line), { parallel: new Set(['a', 'b']) })).toBe(
    false,
  )
  expect(seen).toEqual(['a', 'c'])
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['a', 'why', 'b', 'c', '2'])
})

test('the command itself ends with the sum and 1', async () => {
  const unknown = await runCommand(process.execPath, ['checks/run.ts', 'nothing'])
  expect(unknown.ok).toBe(false)
  expect(unknown.output.split('\n').at(-1)).toBe('0 passed, 1 failed')
  expect((await runCommand(process.execPath, ['checks/run.ts'])).ok).toBe(false)
})
