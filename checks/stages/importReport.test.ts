import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT_FOLDER, runCommand } from '../runCommand.ts'
import { parseImportReport } from './importReport.ts'

/** A house of one-line files, each with the imports named here; `type` imports only a type. */
const MODULE_FIXTURES: Record<string, string[]> = {
  'src/contract/index.ts': ['zod'],
  'src/contract/wrong.ts': ['vitest', '../wire/call.ts'],
  'src/contract/right.test.ts': ['vitest', './index.ts'],
  'src/client/http.ts': ['#contract/index.ts'],
  'src/wire/wrong.ts': ['type ../ui/Table.ts', '../contract/index.ts'],
  'src/ui/Table.ts': [],
  'src/ui/Wrong.ts': ['type ../wire/call.ts'],
  'src/features/chat/ChatPage.ts': ['../../ui/Table.ts', '../../wire/call.ts', '../../paths.ts', './Turn.ts'],
  'src/features/chat/Turn.ts': [],
  'src/features/home/Wrong.ts': ['../chat/Turn.ts', '../../app/Shell.ts', '../../../server/env.ts', 'node:fs'],
  'src/app/Shell.ts': ['../features/chat/ChatPage.ts'],
  'src/app/entry.tsx': ['./app/Shell.ts'],
  'src/domain/paths.ts': [],
  'server/env.ts': ['zod', '#contract/index.ts'],
  'server/main.ts': ['./env.ts', './platform/platform.ts'],
  'server/wrong.ts': ['../src/ui/Table.ts', './platform/platform.ts', '../e2e/spec.ts', './env.test.ts', 'vitest'],
  'server/env.test.ts': ['vitest', '../e2e/spec.ts', './env.ts'],
  'server/platform/platform.ts': ['../database/open.ts', '#contract/index.ts'],
  'server/platform/wrong.ts': ['type ../env.ts', './gone.ts', 'left-pad'],
  'server/database/open.ts': [],
  'server/database/one.ts': ['./two.ts'],
  'server/database/two.ts': ['./one.ts'],
  'server/database/three.ts': ['./four.ts'],
  'server/database/four.ts': ['type ./three.ts'],
  'server/database/utils.ts': [],
  'server/database/five.ts': ['./utils.ts'],
  'e2e/spec.ts': [],
  'e2e/wrong.ts': ['#contract/index.ts'],
}
const PACKAGE_MANIFEST = {
  type: 'module',
  imports: { '#contract/*': './src/contract/*' },
  dependencies: { zod: '*' },
  devDependencies: { vitest: '*' },
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-cruise-'))
  const files = { ...MODULE_FIXTURES, 'node_modules/zod/index.js': [], 'node_modules/vitest/index.js': [] }
  for (const [path, imports] of Object.entries(files))
    await write(path, `${imports.map(toImportLine).join('')}export const x = 1\n`)
  for (const name of ['zod', 'vitest'])
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }))
  await write('package.json', JSON.stringify(PACKAGE_MANIFEST))
  await write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { module: 'nodenext', allowImportingTsExtensions: true } }),
  )
})
afterAll(() => rm(folder, { recursive: true }))

const toImportLine = (importSpec: string, at: number): string =>
  importSpec.startsWith('type ')
    ? `import type { x as x${at} } from '${importSpec.slice(5)}'\nexport type X${at} = typeof x${at}\n`
    : `import * as x${at} from '${importSpec}'\nvoid x${at}\n`

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

test('each wrong import of a house is found, and no right one', async () => {
  const config = join(ROOT_FOLDER, 'checks', 'dependency-cruiser.cjs')
  const rooms = ['src', 'server', 'e2e']
  const { stdout } = await runCommand('depcruise', ['--config', config, '--output-type', 'json', ...rooms], {
    cwd: folder,
  })
  expect(parseImportReport(stdout)?.lines.toSorted()).toEqual([
    'error app-is-the-top: src/features/home/Wrong.ts -> src/app/Shell.ts',
    'error browser-has-no-node: src/features/home/Wrong.ts -> fs',
    'error browser-knows-no-server: src/features/home/Wrong.ts -> server/env.ts',
    'error contract-by-its-alias: src/wire/wrong.ts -> src/contract/index.ts',
    'error contract-imports-zod-only: src/contract/wrong.ts -> node_modules/vitest/index.js',
    'error contract-imports-zod-only: src/contract/wrong.ts -> src/client/http.ts',
    'error features-never-meet: src/features/home/Wrong.ts -> src/features/chat/Turn.ts',
    'error no-cycle: server/database/one.ts -> server/database/two.ts -> server/database/one.ts',
    'error no-drawer: server/database/five.ts -> server/database/utils.ts',
    'error no-lost-import: server/platform/wrong.ts -> ./gone.ts',
    'error no-lost-import: server/platform/wrong.ts -> left-pad',
    'error nothing-ships-a-dev-dependency: server/wrong.ts -> node_modules/vitest/index.js',
    'error nothing-ships-a-dev-dependency: src/contract/wrong.ts -> node_modules/vitest/index.js',
    'error nothing-ships-a-test: server/wrong.ts -> server/env.test.ts',
    'error platform-is-known-by-its-url: server/wrong.ts -> server/platform/platform.ts',
    'error platform-stands-by-itself: server/platform/wrong.ts -> server/env.ts',
    'error server-knows-no-screen: server/wrong.ts -> src/ui/Table.ts',
    'error server-ships-alone: server/wrong.ts -> e2e/spec.ts',
    'error specs-see-what-people-see: e2e/wrong.ts -> src/contract/index.ts',
    'error ui-has-looks-and-manners: src/ui/Wrong.ts -> src/client/http.ts',
    'error wire-knows-the-contract-alone: src/wire/wrong.ts -> src/ui/Table.ts',
  ])
})

test('a report that saw next to nothing is no pass, and what is no report is none', () => {
  const report = (totalCruised: number) => JSON.stringify({ summary: { totalCruised, violations: [] } })
  expect(parseImportReport(report(0))).toEqual({ ok: false, modules: 0, lines: ['error: only 0 modules were seen'] })
  expect(parseImportReport(report(300))).toEqual({ ok: true, modules: 300, lines: [] })
  expect(parseImportReport('ERROR: no such file')).toBeNull()
})
