import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT_FOLDER, runCommand } from '../runCommand.ts'
import { parseImportReport } from './importReport.ts'

/** A small repository: each file with its imports. An import that begins with `type` is one of a type alone. */
const ALLOWED_IMPORTS: Record<string, string[]> = {
  'src/contract/index.ts': ['zod', './problem.ts', './console/runs.ts'],
  'src/contract/problem.ts': ['zod'],
  'src/contract/index.test.ts': ['vitest', './index.ts', '#domain/fold.ts'],
  'src/contract/console/runs.ts': ['zod', '../problem.ts'],
  'src/domain/fold.ts': ['#contract/console/runs.ts'],
  'src/client/http.ts': ['#contract/problem.ts', '#domain/fold.ts'],
  'src/components/Table.ts': ['#domain/fold.ts', '#contract/problem.ts'],
  'src/features/runs/RunPage.ts': ['../../components/Table.ts', '../../client/http.ts', '#contract/console/runs.ts'],
  'src/features/home/HomePage.ts': ['../runs/RunPage.ts'],
  'src/app/Shell.ts': ['../features/home/HomePage.ts'],
  'server/env.ts': ['zod', '#contract/index.ts', '#domain/fold.ts'],
  'server/env.test.ts': ['vitest', '../e2e/support/process.ts', './env.ts'],
  'server/main.ts': ['./env.ts', './serve.ts'],
  'server/serve.ts': ['./runs/executor.ts', './platform/platform.ts'],
  'server/db/pool.ts': [],
  'server/auth/sessions.ts': ['../db/pool.ts'],
  'server/runs/executor.ts': ['../auth/sessions.ts', '#domain/fold.ts'],
  'server/platform/indexing/tokenCount.ts': [],
  'server/platform/indexing/indexingWorker.ts': ['./tokenCount.ts'],
  'server/platform/platform.ts': ['../db/pool.ts', '#contract/index.ts'],
  'cli/main.ts': ['#contract/problem.ts', '#domain/fold.ts'],
  'e2e/support/process.ts': [],
  'e2e/chat.spec.ts': ['./support/process.ts'],
}

/** Each rule with the imports that it forbids, as the report has them; `imports` are what the test writes. */
const VIOLATIONS: { rule: string; file: string; imports: string[]; reported?: string[] }[] = [
  {
    rule: 'contract-imports-zod-only',
    file: 'src/contract/importsFold.ts',
    imports: ['type #domain/fold.ts'],
    reported: ['src/domain/fold.ts'],
  },
  {
    rule: 'browser-imports-endpoints-by-noun',
    file: 'src/features/home/ImportsContract.ts',
    imports: ['type #contract/index.ts'],
    reported: ['src/contract/index.ts'],
  },
  { rule: 'contract-by-its-alias', file: 'src/client/importsContractByPath.ts', imports: ['../contract/problem.ts'] },
  { rule: 'domain-is-pure', file: 'src/domain/importsClient.ts', imports: ['../client/http.ts'] },
  { rule: 'domain-by-its-alias', file: 'src/client/importsDomainByPath.ts', imports: ['../domain/fold.ts'] },
  { rule: 'client-draws-nothing', file: 'src/client/importsComponent.ts', imports: ['type ../components/Table.ts'] },
  {
    rule: 'components-know-no-endpoint',
    file: 'src/components/ImportsEndpoint.ts',
    imports: ['type #contract/console/runs.ts', '../client/http.ts'],
    reported: ['src/client/http.ts', 'src/contract/console/runs.ts'],
  },
  { rule: 'features-know-no-app', file: 'src/features/home/ImportsApp.ts', imports: ['../../app/Shell.ts'] },
  { rule: 'features-order-runs', file: 'src/features/runs/ImportsHome.ts', imports: ['../home/HomePage.ts'] },
  { rule: 'server-order-auth', file: 'server/auth/importsRuns.ts', imports: ['type ../runs/executor.ts'] },
  {
    rule: 'browser-has-no-node',
    file: 'src/features/home/ImportsNode.ts',
    imports: ['node:fs'],
    reported: ['fs'],
  },
  { rule: 'browser-knows-no-server', file: 'src/features/home/ImportsServer.ts', imports: ['../../../server/env.ts'] },
  { rule: 'server-knows-no-screen', file: 'server/importsScreen.ts', imports: ['../src/components/Table.ts'] },
  { rule: 'cli-is-a-client', file: 'cli/importsServer.ts', imports: ['../server/env.ts'] },
  { rule: 'cli-is-the-top', file: 'server/importsCli.ts', imports: ['../cli/main.ts'] },
  { rule: 'server-ships-alone', file: 'server/importsSupport.ts', imports: ['../e2e/support/process.ts'] },
  { rule: 'platform-stands-by-itself', file: 'server/platform/importsEnv.ts', imports: ['type ../env.ts'] },
  { rule: 'platform-is-known-by-its-url', file: 'server/importsPlatform.ts', imports: ['./platform/platform.ts'] },
  {
    rule: 'specs-see-what-people-see',
    file: 'e2e/importsContract.spec.ts',
    imports: ['#contract/index.ts'],
    reported: ['src/contract/index.ts'],
  },
  {
    rule: 'sql-by-one-rule',
    file: 'server/ledger/importsDrizzle.ts',
    imports: ['drizzle-orm'],
    reported: ['node_modules/drizzle-orm/index.js'],
  },
  {
    rule: 'tokenizer-loads-when-needed',
    file: 'server/platform/importsTokenizer.ts',
    imports: ['./indexing/tokenCount.ts'],
  },
  { rule: 'nothing-ships-a-test', file: 'server/importsTest.ts', imports: ['./env.test.ts'] },
  {
    rule: 'nothing-ships-a-dev-dependency',
    file: 'server/importsDevDependency.ts',
    imports: ['vitest'],
    reported: ['node_modules/vitest/index.js'],
  },
  { rule: 'no-drawer', file: 'server/db/importsUtils.ts', imports: ['./utils.ts'] },
  { rule: 'no-lost-import', file: 'server/db/importsMissingFile.ts', imports: ['./gone.ts'], reported: ['./gone.ts'] },
  {
    rule: 'no-borrowed-package',
    file: 'server/db/importsUnlistedPackage.ts',
    imports: ['unlisted'],
    reported: ['node_modules/unlisted/index.js'],
  },
]

/** Two files that need each other to run, and two of which one needs only a type. */
const CYCLES: [string, string, isTypeOnly: boolean][] = [
  ['server/db/one.ts', 'server/db/two.ts', false],
  ['src/domain/three.ts', 'src/domain/four.ts', true],
]

const PACKAGE_MANIFEST = {
  type: 'module',
  imports: { '#contract/*': './src/contract/*', '#domain/*': './src/domain/*' },
  dependencies: { zod: '*', 'drizzle-orm': '*' },
  devDependencies: { vitest: '*' },
}
const INSTALLED_PACKAGES = ['zod', 'vitest', 'drizzle-orm', 'unlisted']

let folder = ''
let reportLines: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-cruise-'))
  for (const [path, imports] of Object.entries(ALLOWED_IMPORTS)) await writeModule(path, imports)
  for (const { file, imports } of VIOLATIONS) await writeModule(file, imports)
  for (const [first, second, isTypeOnly] of CYCLES) {
    await writeModule(first, [`./${second.split('/').at(-1)}`])
    await writeModule(second, [`${isTypeOnly ? 'type ' : ''}./${first.split('/').at(-1)}`])
  }
  await writeModule('server/db/utils.ts', [])
  for (const name of INSTALLED_PACKAGES) {
    await writeModule(`node_modules/${name}/index.js`, [])
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }))
  }
  await write('package.json', JSON.stringify(PACKAGE_MANIFEST))
  await write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { module: 'nodenext', allowImportingTsExtensions: true } }),
  )
  const config = join(ROOT_FOLDER, 'checks', 'dependencyCruiser.cjs')
  const { stdout } = await runCommand(
    'depcruise',
    ['--config', config, '--output-type', 'json', 'src', 'server', 'cli', 'e2e'],
    { cwd: folder },
  )
  reportLines = parseImportReport(stdout)?.lines ?? []
})
afterAll(() => rm(folder, { recursive: true }))

const writeModule = (path: string, imports: string[]): Promise<void> =>
  write(path, `${imports.map(toImportLine).join('')}export const x = 1\n`)

const toImportLine = (importSpec: string, index: number): string =>
  importSpec.startsWith('type ')
    ? `import type { x as x${index} } from '${importSpec.slice(5)}'\nexport type X${index} = typeof x${index}\n`
    : `import * as x${index} from '${importSpec}'\nvoid x${index}\n`

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

const listReportLines = (rule: string): string[] =>
  reportLines.filter((line) => line.startsWith(`error ${rule}: `)).toSorted()

const listExpectedLines = ({ rule, file, imports, reported }: (typeof VIOLATIONS)[number]): string[] =>
  (reported ?? imports.map((path) => join(dirname(file), path.replace(/^type /, '')))).map(
    (to) => `error ${rule}: ${file} -> ${to}`,
  )

test.each(VIOLATIONS)('$rule is reported', (violation) => {
  expect(listReportLines(violation.rule)).toEqual(listExpectedLines(violation))
})

test('a cycle is reported, also where one file needs only a type of the other', () => {
  const loops = listReportLines('no-cycle').map((line) => new Set(line.replace('error no-cycle: ', '').split(' -> ')))
  expect(loops).toHaveLength(CYCLES.length)
  for (const [first, second] of CYCLES) expect(loops).toContainEqual(new Set([first, second]))
})

test('no allowed import is reported', () => {
  const expected = VIOLATIONS.flatMap(listExpectedLines)
  const rest = reportLines.filter((line) => !expected.includes(line) && !line.startsWith('error no-cycle: '))
  expect(rest).toEqual([])
})

test('every rule of the configuration has a violation here', () => {
  const config = createRequire(import.meta.url)('../dependencyCruiser.cjs') as { forbidden: { name: string }[] }
  const isOrderRule = (name: string) => /^(features|server)-order-/.test(name)
  const rules = config.forbidden.map(({ name }) => name).filter((name) => !isOrderRule(name))
  const tested = VIOLATIONS.map(({ rule }) => rule).filter((name) => !isOrderRule(name))
  expect([...tested, 'no-cycle'].toSorted()).toEqual(rules.toSorted())
})

test('a report on almost no modules does not pass, and other text is no report', () => {
  const report = (totalCruised: number) => JSON.stringify({ summary: { totalCruised, violations: [] } })
  expect(parseImportReport(report(0))).toEqual({ ok: false, modules: 0, lines: ['error: only 0 modules were seen'] })
  expect(parseImportReport(report(300))).toEqual({ ok: true, modules: 300, lines: [] })
  expect(parseImportReport('ERROR: no such file')).toBeNull()
})
