import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needChromium } from './chromium.ts'
import { run } from './command.ts'
import { type Counts, playwrightCounts, vitestCounts } from './counts.ts'
import { readCruise } from './cruise.ts'
import type { Outcome, Stages } from './report.ts'

/** What `npm test` and `npm run check` are made of. */
export const stages: Stages = new Map([
  ['types', () => whole('tsc', ['-p', '.'])],
  ['lint', () => whole('eslint', ['--config', 'checks/eslint.config.js', '--max-warnings', '0', '.'])],
  ['format', () => whole('prettier', ['--check', '--log-level', 'warn', '.'])],
  ['imports', checkImports],
  ['unit', checkUnits],
  ['e2e', checkBrowser],
])

/** Each of these has one thread and reads files only: together they take as long as the longest, or as half of all. */
export const besides: ReadonlySet<string> = new Set(['types', 'lint', 'format', 'imports'])

/** A command that passes or fails as one. */
async function whole(command: string, args: string[]): Promise<Outcome> {
  const { ok, output } = await run(command, args)
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, said: [command, ...args].join(' '), output: ok ? '' : output }
}

async function checkImports(): Promise<Outcome> {
  const rooms = ['src', 'server', 'e2e', 'checks', 'bench', 'vite.config.ts']
  const { stdout, output } = await run('depcruise', [
    ...['--config', 'checks/dependency-cruiser.cjs', '--output-type', 'json'],
    ...rooms,
  ])
  const cruise = readCruise(stdout)
  if (!cruise) return { passed: 0, failed: 1, said: 'dependency-cruiser gave no report', output }
  const { ok, modules, lines } = cruise
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, said: `${modules} modules`, output: lines.join('\n') }
}

function checkUnits(): Promise<Outcome> {
  return withReport(async (report) => {
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
    const { ok, output } = await run('vitest', ['run', '--config', 'checks/vitest.config.ts', ...reporters])
    return judge(vitestCounts(await readJson(report), ok), output)
  })
}

async function checkBrowser(): Promise<Outcome> {
  const chromium = await needChromium()
  if (!chromium.path) return { passed: 0, failed: 1, said: 'no Chromium', output: chromium.problem }
  const build = await run('vite', ['build', '--logLevel', 'warn'])
  if (!build.ok) return { passed: 0, failed: 1, said: 'the app does not build', output: build.output }
  const { path } = chromium
  return withReport(async (report) => {
    const args = ['test', '--config', 'e2e/playwright.config.ts']
    const { ok, output } = await run('playwright', args, {
      env: { CHROMIUM: path, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    })
    return judge(playwrightCounts(await readJson(report), ok), output)
  })
}

function judge({ passed, failed, skipped }: Counts, output: string): Outcome {
  const said = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  return { passed, failed, said, output: failed > 0 ? output : '' }
}

async function withReport(use: (report: string) => Promise<Outcome>): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-checks-'))
  try {
    return await use(join(folder, 'report.json'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch {
    return null
  }
}
