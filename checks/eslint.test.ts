import { ESLint } from 'eslint'
import { expect, test } from 'vitest'
import tseslint from 'typescript-eslint'
import { ROOT_FOLDER } from './runCommand.ts'

/** The rules that need types are left out: the lines judged here stand in no file. */
const eslint = new ESLint({
  cwd: ROOT_FOLDER,
  overrideConfigFile: 'checks/eslint.config.js',
  overrideConfig: [tseslint.configs.disableTypeChecked],
})
const findViolatedRules = async (filePath: string, code: string) => {
  const [result] = await eslint.lintText(`${code}\n`, { filePath })
  return result?.messages.map(({ ruleId, message }) => ruleId ?? message)
}

test.each<[string, string, string[]]>([
  ['src/components/A.tsx', 'export const a = <p dangerouslySetInnerHTML={{ __html: "" }} />', ['no-restricted-syntax']],
  ['src/components/A.tsx', 'export const a = { dangerouslySetInnerHTML: { __html: "" } }', ['no-restricted-syntax']],
  ['src/components/A.tsx', 'document.body.innerHTML = ""', ['no-restricted-syntax']],
  ['src/components/A.test.tsx', 'void document.body.innerHTML', []],
  ['src/components/A.tsx', 'export const a = <div onClick={() => undefined} />', ['no-restricted-syntax']],
  ['src/components/A.tsx', 'export const a = <button onClick={() => undefined} />', []],
  ['src/features/home/A.tsx', 'void fetch("/")', ['no-restricted-globals']],
  ['src/features/home/A.tsx', 'void window.fetch("/")', ['no-restricted-properties']],
  ['src/features/home/A.tsx', 'void new EventSource("/")', ['no-restricted-globals']],
  ['src/client/http.ts', 'void fetch("/")', []],
  ['server/vault/a.ts', 'void fetch("/")', ['no-restricted-globals']],
  ['server/vault/a.ts', 'import { request } from "undici"\nvoid request', ['@typescript-eslint/no-restricted-imports']],
  [
    'server/vault/a.ts',
    'import { request } from "node:http"\nvoid request',
    ['@typescript-eslint/no-restricted-imports'],
  ],
  ['server/vault/a.ts', 'import { connect } from "net"\nvoid connect', ['@typescript-eslint/no-restricted-imports']],
  ['server/vault/a.ts', 'import type { AddressInfo } from "node:net"\nexport type A = AddressInfo', []],
  ['server/relay/a.ts', 'import { request } from "undici"\nvoid request', []],
  ['server/platform/model/a.ts', 'import { request } from "undici"\nvoid request', []],
  ['server/vault/a.test.ts', 'import { request } from "node:http"\nvoid request', []],
  [
    'server/vault/a.test.ts',
    'import { test } from "vitest"\ntest.skip("a", () => undefined)',
    ['no-restricted-syntax'],
  ],
  ['server/vault/a.ts', 'export const a = (b: any) => b', ['@typescript-eslint/no-explicit-any']],
  ['server/vault/a.ts', '// @ts-ignore\nexport const a = 1', ['@typescript-eslint/ban-ts-comment']],
])('%s: %s', async (file, code, rules) => {
  expect(await findViolatedRules(file, code)).toEqual(rules)
})

test('a comment cannot switch a rule off', async () => {
  const code = '// eslint-disable-next-line no-restricted-globals\nvoid fetch("/")'
  expect(await findViolatedRules('server/vault/a.ts', code)).toContain('no-restricted-globals')
})
