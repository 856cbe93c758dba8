import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach } from 'vitest'
import type { Suite } from '#contract/console/suites.ts'
import { sendAnswer, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../server/app.testing.ts'

export const fileOf = (name: string) => `name: ${name}
target: chat
checks:
  - type: contains
    value: days
cases:
  - input:
      query: Returns?
    expected:
      answer: Within 30 days.
    checks:
      - type: equals
  - input:
      query: Delivery?
`

/** A console, a folder for each test, and the command with the token of an operator. */
export function setUpCli() {
  const testConsole = TestConsole.forFile()
  let folder = ''
  let token = ''
  /** What the app answers to a question. */
  const answers: Record<string, string> = {}
  beforeAll(async () => {
    token = await createToken('operator')
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loupe-cli-'))
    Object.assign(answers, { 'Returns?': 'Within 30 days.', 'Delivery?': 'Within 3 days.' })
    testConsole.platform.requests.length = 0
    testConsole.platform.script = ({ body }, response) => {
      const { query } = JSON.parse(body) as { query: string }
      const answer = answers[query]
      if (answer === undefined) return sendError(response, 400, { code: 'invalid_param', message: 'No.', status: 400 })
      sendAnswer(response, answer, { usage: { total_tokens: 10, total_price: '0.002', currency: 'USD' } })
    }
    return () => rmSync(folder, { recursive: true, force: true })
  })

  const createToken = async (role: string) =>
    (await testConsole.json<{ token: string }>('POST', '/api/account/tokens', { name: 'ci', role, days: 7 })).token

  /** The command as CI runs it: a process of its own. */
  function run(args: readonly string[], env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'loupe.mjs'), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, LOUPE_URL: testConsole.url, LOUPE_TOKEN: token, ...env },
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (part: Buffer) => (output.stdout += part.toString()))
    child.stderr.on('data', (part: Buffer) => (output.stderr += part.toString()))
    const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      child.once('close', (code) => resolve({ code, ...output }))
    })
    return { child, output, ended }
  }
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const listSuites = async (name: string) =>
    (await testConsole.json<{ data: Suite[] }>('GET', `/api/suites?workspace=${testConsole.workspace}&q=${name}`)).data
  return {
    testConsole,
    answers,
    createToken,
    run,
    write,
    read,
    listSuites,
    getFolder: () => folder,
    getToken: () => token,
  }
}
