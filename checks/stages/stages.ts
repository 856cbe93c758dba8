import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programs } from '#support/programs.ts'
import { findBannedSyntax } from '../sources/bannedSyntax.ts'
import { findDeadCommentNames } from '../sources/commentNames.ts'
import { findMissingCssTokens } from '../sources/cssTokens.ts'
import { findForbiddenImports } from '../sources/importWalls.ts'
import { readSources } from '../sources/sourceFiles.ts'
import { findKitFaults } from '../sources/kits.ts'
import { findStructureFaults } from '../sources/structure.ts'
import { ROOT_FOLDER, runCommand } from '../runCommand.ts'
import { installChromium } from './findChromium.ts'
import { installPrograms } from './installPackages.ts'
import { describeSkips, findForbiddenSkips } from './skippedTests.ts'
import type { RunStage, StageOutcome, Stages } from './stageReport.ts'
import { playwrightCounts, type TestCounts, vitestCounts } from './testCounts.ts'

const NO_NAMESPACES = 'no mount namespaces (they need root on Linux)'
const isCi = process.env.CI === 'true'

export interface TestSelection {
  /** Also `*.full.test.ts` and `*.full.spec.ts`, the unit tests in a random order of files. */
  isFull: boolean
  /** Only these test files, from the root of the project; empty for all. */
  files: readonly string[]
}

/** What `npm test`, `npm run test:full` and `npm run check` are made of. */
export const createStages = (selection: TestSelection): Stages =>
  new Map<string, RunStage>([
    ['types', () => runAsOne('tsc', ['-p', '.'])],
    ['lint', () => runAsOne('oxlint', ['--deny-warnings'])],
    ['format', () => runAsOne('oxfmt', ['--check'])],
    ['sources', checkSources],
    ['bare', checkBare],
    ['unshared', checkUnshared],
    ['unit', (print) => checkUnits(selection, print)],
    ['e2e', (print) => checkBrowser(selection, print)],
  ])

/** These read files only, and take less than a minute together. */
export const parallel: ReadonlySet<string> = new Set(['types', 'lint', 'format', 'sources'])

/** A command that passes or fails as one. */
async function runAsOne(command: string, args: string[]): Promise<StageOutcome> {
  const { ok, output } = await runCommand(command, args)
  return toSingleOutcome(ok, [command, ...args].join(' '), output)
}

const toSingleOutcome = (ok: boolean, summary: string, output: string): StageOutcome => ({
  passed: ok ? 1 : 0,
  failed: ok ? 0 : 1,
  summary,
  output: ok ? '' : output,
})

/** Imports, names, sizes and banned syntax: rules that no linter has. */
function checkSources(): Promise<StageOutcome> {
  const sources = readSources()
  const { imports, forbidden } = findForbiddenImports(sources)
  const structure = Object.entries(findStructureFaults(sources.filter(({ path }) => /\.tsx?$/.test(path))))
  const faults = [
    ...forbidden,
    ...sources.flatMap(findBannedSyntax),
    ...sources.flatMap(findKitFaults),
    ...findDeadCommentNames(sources),
    ...findMissingCssTokens(),
    ...structure.flatMap(([rule, places]: [string, string[]]) => places.map((place) => `${rule}: ${place}`)),
  ]
  return Promise.resolve(
    toSingleOutcome(
      faults.length === 0 && imports > MIN_IMPORTS,
      `${sources.length} files, ${imports} imports`,
      faults.join('\n'),
    ),
  )
}

/** A check that reads almost nothing does not pass. */
const MIN_IMPORTS = 5000

async function checkUnits({ isFull, files }: TestSelection, print: (line: string) => void): Promise<StageOutcome> {
  await installPrograms(print)
  const seed = String(Date.now())
  const order = isFull ? ['--sequence.shuffle.files', `--sequence.seed=${seed}`] : []
  return withReport(async (report) => {
    const { ok, output } = await runCommand('vitest', [...toVitestArgs(report), ...order, ...files], {
      env: toSelectionEnv({ isFull, files }),
    })
    const outcome = toOutcome(vitestCounts(await readJson(report), ok), output)
    return isFull ? { ...outcome, summary: `${outcome.summary} (seed ${seed})` } : outcome
  })
}

const toSelectionEnv = ({ isFull, files }: TestSelection): Record<string, string> =>
  isFull || files.length > 0 ? { TEST_FULL: '1' } : {}

/**
 * Tests that look for programs must run, and be counted as skipped, on a machine that has none of them. This runs their
 * files with the programs hidden, so that a machine which has them sees it too.
 */
async function checkBare(): Promise<StageOutcome> {
  if (!canHidePrograms())
    return toOutcome({ passed: 0, failed: 0, skipped: [NO_NAMESPACES], failures: [], durations: new Map() }, '')
  return checkWithout(
    'PostgreSQL, libfaketime and proxies',
    /\/requirements\.ts/,
    (args) => toHidingCommand(['vitest', ...args]),
    { CI: '' },
  )
}

/** Whether a command can be run in a mount namespace of its own: on Linux, as root. */
function canHidePrograms(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs `command` where none of the programs of `e2e/support/programs.ts` is to be found: something empty is mounted over each. */
function toHidingCommand(command: readonly string[]): [string, ...string[]] {
  const paths = Object.values(programs).flatMap(({ find }) => find() ?? [])
  const mounts = paths.map((path) =>
    statSync(path).isDirectory() ? `mount -t tmpfs -o size=1m none ${path}` : `mount --bind /dev/null ${path}`,
  )
  return ['unshare', '--mount', 'sh', '-c', [...mounts, 'exec "$@"'].join(' && '), 'sh', ...command]
}

/** Tests that read `SHARED_DATA` must run, and be counted as skipped, in a clone without it. */
async function checkUnshared(): Promise<StageOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-unshared-'))
  try {
    return await checkWithout('SHARED_DATA', /SHARED_DATA|sharedData\(/, (args) => ['vitest', ...args], {
      SHARED_DATA: folder,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs the unit tests whose text matches `marker`, without something of the machine; some of them must be skipped. */
async function checkWithout(
  missing: string,
  marker: RegExp,
  toCommand: (args: string[]) => [string, ...string[]],
  env: Record<string, string>,
): Promise<StageOutcome> {
  const files = globSync('{server,checks,cli,src,bench}/**/*.test.{ts,tsx}', { cwd: ROOT_FOLDER }).filter((file) =>
    marker.test(readFileSync(join(ROOT_FOLDER, file), 'utf8')),
  )
  return withReport(async (report) => {
    const [command, ...args] = toCommand([...toVitestArgs(report), ...files])
    const { ok, output } = await runCommand(command, args, { env: { ...env, TEST_FULL: '1' } })
    const { passed, failed, skipped, failures } = vitestCounts(await readJson(report), ok)
    const isRight = failed === 0 && skipped.length > 0 && findForbiddenSkips(skipped, false).length === 0
    return toSingleOutcome(
      isRight,
      `without ${missing}: ${passed} passed, ${failed} failed, ${skipped.length} skipped`,
      [...failures, ...describeSkips(skipped), ...(failures.length > 0 ? [] : [output])].join('\n'),
    )
  })
}

const toVitestArgs = (report: string) => [
  ...['run', '--config', 'checks/vitest.config.ts', '--reporter=dot', '--reporter=json'],
  `--outputFile.json=${report}`,
]

async function checkBrowser(selection: TestSelection, print: (line: string) => void): Promise<StageOutcome> {
  const chromium = await installChromium(print)
  if (!chromium.path) return { passed: 0, failed: 1, summary: 'no Chromium', output: chromium.problem }
  const build = await runCommand('node', ['server/browserApp/buildCommand.ts'])
  if (!build.ok) return { passed: 0, failed: 1, summary: 'the app does not build', output: build.output }
  const { path } = chromium
  return withReport(async (report) => {
    const args = ['test', '--config', 'e2e/playwright.config.ts', ...selection.files]
    const { ok, output } = await runCommand('playwright', args, {
      env: { CHROMIUM: path, PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...toSelectionEnv(selection) },
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
