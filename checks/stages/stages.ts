import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installChromium } from './findChromium.ts'
import { runCommand } from '../runCommand.ts'
import { type TestCounts, playwrightCounts, vitestCounts } from './testCounts.ts'
import { parseImportReport } from './importReport.ts'
import { listProgramTests, canHidePrograms, toHidingCommand } from './hiddenPrograms.ts'
import { installPrograms } from './installPackages.ts'
import type { StageOutcome, Stages } from './stageReport.ts'
import { describeSkips, findForbiddenSkips } from './skippedTests.ts'
import { examine, readSources, type Structure } from '../structure.ts'

const NO_NAMESPACES = 'no mount namespaces (they need root on Linux)'
const isCi = process.env.CI === 'true'

/** What `npm test` and `npm run check` are made of. */
export const stages: Stages = new Map([
  ['types', () => runAsOne('tsc', ['-p', '.'])],
  ['lint', () => runAsOne('eslint', ['--config', 'checks/eslint.config.js', '--max-warnings', '0', '.'])],
  ['format', () => runAsOne('oxfmt', ['--check'])],
  ['imports', checkImports],
  ['structure', checkStructure],
  ['bare', checkBare],
  ['unit', checkUnits],
  ['e2e', checkBrowser],
])

/** Each of these has one thread and reads files only: together they take as long as the longest, or as half of all. */
export const parallel: ReadonlySet<string> = new Set(['types', 'lint', 'format', 'imports'])

/** A command that passes or fails as one. */
async function runAsOne(command: string, args: string[]): Promise<StageOutcome> {
  const { ok, output } = await runCommand(command, args)
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, summary: [command, ...args].join(' '), output: ok ? '' : output }
}

async function checkImports(): Promise<StageOutcome> {
  const folders = ['src', 'server', 'cli', 'e2e', 'checks', 'bench', 'vite.config.ts']
  const { stdout, output } = await runCommand('depcruise', [
    ...['--config', 'checks/dependencyCruiser.cjs', '--output-type', 'json'],
    ...folders,
  ])
  const cruise = parseImportReport(stdout)
  if (!cruise) return { passed: 0, failed: 1, summary: 'dependency-cruiser gave no report', output }
  const { ok, modules, lines } = cruise
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, summary: `${modules} modules`, output: lines.join('\n') }
}

/** Places that may break a rule of `docs/glossary.md`. */
const STRUCTURE_LIMITS: Readonly<Record<keyof Structure, number>> = {
  retired: 0,
  ambiguous: 0,
  unnamedNumbers: 0,
  longFunctions: 0,
  largeFolders: 0,
}

function checkStructure(): Promise<StageOutcome> {
  const found = Object.entries(examine(readSources())) as [keyof Structure, string[]][]
  const worse = found.filter(([rule, places]) => places.length > STRUCTURE_LIMITS[rule])
  return Promise.resolve({
    passed: worse.length === 0 ? 1 : 0,
    failed: worse.length === 0 ? 0 : 1,
    summary: found.map(([rule, places]) => `${rule} ${places.length}`).join(', '),
    output: worse
      .map(([rule, places]) => [`${rule}: at most ${STRUCTURE_LIMITS[rule]}`, ...places].join('\n  '))
      .join('\n'),
  })
}

async function checkUnits(print: (line: string) => void): Promise<StageOutcome> {
  await installPrograms(print)
  return withReport(async (report) => {
    const { ok, output } = await runCommand('vitest', vitestArgs(report))
    return toOutcome(vitestCounts(await readJson(report), ok), output)
  })
}

/**
 * Tests that look for programs must run, and be counted as skipped, on a machine that has none of them. This runs their
 * files with the programs hidden, so that a machine which has them sees it too.
 */
async function checkBare(): Promise<StageOutcome> {
  if (!canHidePrograms())
    return toOutcome({ passed: 0, failed: 0, skipped: [NO_NAMESPACES], failures: [], durations: new Map() }, '')
  const files = listProgramTests()
  return withReport(async (report) => {
    const [command, ...args] = toHidingCommand(['vitest', ...vitestArgs(report), ...files])
    const { ok, output } = await runCommand(command, args, { env: { CI: '' } })
    const { passed, failed, skipped, failures } = vitestCounts(await readJson(report), ok)
    const isRight = failed === 0 && skipped.length > 0 && findForbiddenSkips(skipped, false).length === 0
    return {
      passed: isRight ? 1 : 0,
      failed: isRight ? 0 : 1,
      summary: `without PostgreSQL, libfaketime and proxies: ${passed} passed, ${failed} failed, ${skipped.length} skipped`,
      output: isRight
        ? ''
        : [...failures, ...describeSkips(skipped), ...(failures.length > 0 ? [] : [output])].join('\n'),
    }
  })
}

const vitestArgs = (report: string) => [
  ...['run', '--config', 'checks/vitest.config.ts', '--reporter=dot', '--reporter=json'],
  `--outputFile.json=${report}`,
]

async function checkBrowser(print: (line: string) => void): Promise<StageOutcome> {
  const chromium = await installChromium(print)
  if (!chromium.path) return { passed: 0, failed: 1, summary: 'no Chromium', output: chromium.problem }
  const build = await runCommand('node', ['server/browserApp/buildCommand.ts'])
  if (!build.ok) return { passed: 0, failed: 1, summary: 'the app does not build', output: build.output }
  const { path } = chromium
  return withReport(async (report) => {
    const args = ['test', '--config', 'e2e/playwright.config.ts']
    const { ok, output } = await runCommand('playwright', args, {
      env: { CHROMIUM: path, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    })
    return toOutcome(playwrightCounts(await readJson(report), ok), output)
  })
}

/** The runner's own output is shown where it does not report which test failed. */
function toOutcome({ passed, failed, skipped, failures, durations }: TestCounts, output: string): StageOutcome {
  const forbidden = findForbiddenSkips(skipped, isCi)
  const reasons = describeSkips(forbidden).map((line) => `FAILED ${line} (in CI nothing may be skipped)`)
  const lines = failed > 0 && failures.length === 0 ? [output] : failures
  return {
    passed,
    failed: failed + forbidden.length,
    skipped,
    durations,
    summary: `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
    output: [...lines, ...reasons].join('\n\n'),
  }
}

async function withReport(use: (report: string) => Promise<StageOutcome>): Promise<StageOutcome> {
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
