import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDocument } from '#support/documentFixtures.ts'
import { expect } from '#support/fixtures.ts'
import { type KnowledgeFixture, test } from '#support/knowledgeFixtures.ts'

let folder = ''
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loupe-command-'))
})
test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function createToken({ page, loupe }: KnowledgeFixture): Promise<string> {
  const response = await page.request.post(`${loupe.url}/api/account/tokens`, {
    headers: { 'x-console': '1' },
    data: { name: 'ci', role: 'operator', days: 7 },
  })
  return ((await response.json()) as { token: string }).token
}

function run(command: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(command, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

test('CI runs a suite with the command that the server serves: 0, then 100 once a change breaks a case', async ({
  knowledge,
}) => {
  const { page, loupe } = knowledge
  const { dataset_id: dataset, document_id: document } = await writeDocument(
    knowledge,
    'Returns',
    'A parcel may be returned within 30 days. The label is inside the box.',
  )
  const file = [
    'name: Handbook',
    'target: retrieval',
    `about: ${dataset}`,
    'checks:',
    '  - type: hit@k',
    '    k: 3',
    'cases:',
    '  - name: How long may I return it?',
    '    input:',
    '      query: how many days to return a parcel',
    '    expected:',
    '      documents:',
    `        - id: ${document}`,
    '          label: Returns',
    '',
  ].join('\n')
  writeFileSync(join(folder, 'handbook.suite.yaml'), file)
  const env = { LOUPE_URL: loupe.url, LOUPE_TOKEN: await createToken(knowledge) }
  // No other registry is asked: there is none at this address.
  const npm = ['exec', '--yes', '--registry', 'http://127.0.0.1:1', '--package', `${loupe.url}/cli.tgz`, '--', 'loupe']
  const evaluate = (...args: string[]) => run('npm', [...npm, 'eval', ...args], env)

  const first = await evaluate('handbook.suite.yaml', '--junit', 'out.xml')
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('Handbook: 1 of 1 passed. The gate passed')])
  expect(readFileSync(join(folder, 'out.xml'), 'utf8')).toContain('tests="1" failures="0" errors="0"')
  expect(readFileSync(join(folder, 'handbook.suite.yaml'), 'utf8')).toMatch(/^revision: 2$/m)

  await page.request.delete(`${loupe.url}/api/keys/${knowledge.key}/datasets/${dataset}/documents/${document}`, {
    headers: { 'x-console': '1' },
  })
  const second = await evaluate('handbook.suite.yaml', '--junit', 'out.xml', '--markdown', 'out.md')
  expect([second.code, second.stdout]).toEqual([100, expect.stringContaining('The gate failed')])
  const junit = readFileSync(join(folder, 'out.xml'), 'utf8')
  expect(junit).toMatch(
    /<testcase classname="Handbook" name="How long may I return it\?"[^>]*>\s+<failure type="hit@k"/,
  )
  expect(readFileSync(join(folder, 'out.md'), 'utf8')).toContain('How long may I return it?')

  const [, experiment = ''] = /<property name="experiment" value="([^"]+)"/.exec(junit) ?? []
  await page.goto(experiment.replaceAll('&amp;', '&'))
  await expect(page.getByRole('table', { name: 'Results' })).toContainText('How long may I return it?')
  await expect(page.getByRole('table', { name: 'Results' })).toContainText('failed')

  // From a checkout it is the same command.
  const checkout = await run(join(import.meta.dirname, '../../../cli/loupe.mjs'), ['eval', 'Handbook'], env)
  expect(checkout.code).toBe(100)
})
