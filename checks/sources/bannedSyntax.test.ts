import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT_FOLDER } from '../runCommand.ts'
import { findBannedSyntax } from './bannedSyntax.ts'
import { parseSource } from './sourceFiles.ts'

test.each<[string, string, string | null]>([
  ['src/components/A.tsx', 'export const a = { dangerouslySetInnerHTML: { __html: "" } }', 'text becomes no markup'],
  ['src/components/A.tsx', 'document.body.innerHTML = ""', 'text becomes no markup'],
  ['src/components/A.tsx', 'document.body["outerHTML"] = ""', 'text becomes no markup'],
  ['server/vault/a.ts', 'frame.srcdoc = ""', 'text becomes no markup'],
  ['src/components/A.test.tsx', 'void document.body.innerHTML', null],
  ['src/components/A.tsx', 'export const a = <div onClick={() => undefined} />', 'is a button or a link'],
  ['src/components/A.tsx', 'export const a = <button onClick={() => undefined} />', null],
  ['server/vault/a.test.ts', 'test.skip("a", () => undefined)', 'every test runs'],
  ['server/vault/a.test.ts', 'describe.only.each([1])("a", () => undefined)', 'every test runs'],
  ['server/vault/a.test.ts', 'describe.skipIf(isWindows)("a", () => undefined)', null],
  [
    'server/vault/a.ts',
    '// eslint-disable-next-line no-restricted-globals\nvoid fetch("/")',
    'a comment switches no rule',
  ],
  ['server/vault/a.ts', '/* oxlint-disable */\nvoid fetch("/")', 'a comment switches no rule'],
])('%s: %s', (path, code, reason) => {
  const found = findBannedSyntax(parseSource(path, code))
  expect(found).toEqual(reason ? [expect.stringMatching(`^${path}:1: .*${reason}`)] : [])
})

/** Each file with a violation, and the native rule of `oxlint.config.ts` that finds it; null where it is allowed. */
const PLANTED: [file: string, code: string, rule: string | null][] = [
  ['src/components/A.tsx', 'export const a = <p dangerouslySetInnerHTML={{ __html: "" }} />', 'react(no-danger)'],
  ['src/components/B.tsx', 'export const useB = (isOn: boolean) => isOn && useState(1)', 'react(hooks)'],
  ['src/features/home/A.ts', 'void fetch("/")', 'eslint(no-restricted-globals)'],
  ['src/features/home/B.ts', 'void window.fetch("/")', 'eslint(no-restricted-properties)'],
  ['src/features/home/C.ts', 'void new EventSource("/")', 'eslint(no-restricted-globals)'],
  ['src/features/home/D.ts', 'navigator.sendBeacon("/")', 'eslint(no-restricted-properties)'],
  ['src/client/http.ts', 'void fetch("/")', null],
  ['server/vault/a.ts', 'void fetch("/")', 'eslint(no-restricted-globals)'],
  ['server/vault/b.ts', 'import { request } from "undici"\nvoid request', 'eslint(no-restricted-imports)'],
  ['server/vault/c.ts', 'import { request } from "node:http"\nvoid request', 'eslint(no-restricted-imports)'],
  ['server/vault/d.ts', 'import { connect } from "net"\nvoid connect', 'eslint(no-restricted-imports)'],
  ['server/vault/e.ts', 'import type { AddressInfo } from "node:net"\nexport type A = AddressInfo', null],
  ['server/relay/a.ts', 'import { request } from "undici"\nvoid request', null],
  ['server/platform/model/a.ts', 'import { request } from "undici"\nvoid request', null],
  ['server/vault/a.test.ts', 'import { request } from "node:http"\nvoid request', null],
  ['server/vault/f.ts', 'export const a = (b: any) => b', 'typescript(no-explicit-any)'],
  ['server/vault/g.ts', '// @ts-ignore\nexport const a = 1', 'typescript(ban-ts-comment)'],
  ['server/vault/h.ts', 'export const a = async () => 1\na()', 'typescript(no-floating-promises)'],
  ['server/vault/i.ts', 'export const a = (b: unknown) => b == 1', 'eslint(eqeqeq)'],
  ['server/vault/j.ts', 'import { Pool } from "pg"\nexport type A = Pool', 'typescript(consistent-type-imports)'],
]

let folder = ''
let report = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loupe-lint-'))
  for (const [file, code] of PLANTED) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), `${code}\n`)
  }
  writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "module": "nodenext", "target": "es2024" } }')
  copyFileSync(join(ROOT_FOLDER, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'))
  const oxlint = join(ROOT_FOLDER, 'node_modules/.bin/oxlint')
  report = spawnSync(oxlint, ['--format=unix'], { cwd: folder, encoding: 'utf8' }).stdout
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(PLANTED)('%s: %s', (file, _, rule) => {
  const found = report.split('\n').filter((line) => line.startsWith(`${file}:`))
  expect(found).toEqual(rule ? [expect.stringContaining(`/${rule}]`)] : [])
})
