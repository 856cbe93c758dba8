import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findForbiddenImports, listRuleNames } from './importWalls.ts'
import { readSources } from './sourceFiles.ts'

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
  { rule: 'features-order', file: 'src/features/runs/ImportsHome.ts', imports: ['../home/HomePage.ts'] },
  { rule: 'server-order', file: 'server/auth/importsRuns.ts', imports: ['type ../runs/executor.ts'] },
  {
    rule: 'browser-has-no-node',
    file: 'src/features/home/ImportsNode.ts',
    imports: ['node:fs'],
    reported: ['node:fs'],
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
    reported: ['npm:drizzle-orm'],
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
    reported: ['npm:vitest'],
  },
  { rule: 'no-drawer', file: 'server/db/importsUtils.ts', imports: ['./utils.ts'] },
  {
    rule: 'no-lost-import',
    file: 'server/db/importsMissingFile.ts',
    imports: ['./gone.ts'],
    reported: ['server/db/gone.ts'],
  },
  {
    rule: 'no-borrowed-package',
    file: 'server/db/importsUnlistedPackage.ts',
    imports: ['unlisted'],
    reported: ['npm:unlisted'],
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

let folder = ''
let forbidden: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-imports-'))
  for (const [path, imports] of Object.entries(ALLOWED_IMPORTS)) await writeModule(path, imports)
  for (const { file, imports } of VIOLATIONS) await writeModule(file, imports)
  for (const [first, second, isTypeOnly] of CYCLES) {
    await writeModule(first, [`./${second.split('/').at(-1)}`])
    await writeModule(second, [`${isTypeOnly ? 'type ' : ''}./${first.split('/').at(-1)}`])
  }
  await writeModule('server/db/utils.ts', [])
  await write('package.json', JSON.stringify(PACKAGE_MANIFEST))
  forbidden = findForbiddenImports(readSources(folder), folder).forbidden
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

/** Without line and reason. */
const listFound = (rule: string): string[] =>
  forbidden.flatMap((line) =>
    line.startsWith(`${rule}: `) ? [line.replace(/:\d+ ->/, ' ->').replace(/ \(.*$/, '')] : [],
  )

const listExpected = ({ rule, file, imports, reported }: (typeof VIOLATIONS)[number]): string[] =>
  (reported ?? imports.map((path) => join(dirname(file), path.replace(/^type /, '')))).map(
    (to) => `${rule}: ${file} -> ${to}`,
  )

test.each(VIOLATIONS)('$rule is reported', (violation) => {
  expect(listFound(violation.rule).toSorted()).toEqual(listExpected(violation))
})

test('a cycle is reported, also where one file needs only a type of the other', () => {
  expect(listFound('no-cycle')).toEqual(
    CYCLES.map((files) => `no-cycle: ${files.slice(0, 2).toSorted().join(' <-> ')}`),
  )
})

test('no allowed import is reported', () => {
  const expected = VIOLATIONS.flatMap(listExpected).length + CYCLES.length
  expect(forbidden).toHaveLength(expected)
})

test('every rule has a violation here', () => {
  expect([...VIOLATIONS.map(({ rule }) => rule), 'no-cycle'].toSorted()).toEqual(listRuleNames().toSorted())
})
