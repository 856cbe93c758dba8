import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'

const run = promisify(execFile)
let testConsole: TestConsole
beforeAll(async () => {
  testConsole = await TestConsole.start()
})
afterAll(() => testConsole.remove())

const renew = (env: Record<string, string>) =>
  run(process.execPath, ['checks/renewMasterKey.ts', '--base', testConsole.url], { env: { ...process.env, ...env } })
const readMasterKeyFile = () => readFileSync(join(testConsole.folder, 'secrets', 'master.key'), 'utf8')

it('the command seals all keys again, and the platform still gets the right one', async () => {
  const before = readMasterKeyFile()
  const { stdout } = await renew({ SETUP_TOKEN: 'setup-token-of-the-tests' })
  expect(stdout).toBe('4 keys are sealed with a new master key. The one before it is forgotten.\n')
  expect(readMasterKeyFile()).not.toBe(before)
  expect(readMasterKeyFile()).not.toContain(before.trim())
  testConsole.platform.script = (_seen, response) => sendError(response, 200, { user_input_form: [] })
  await testConsole.closeConsole()
  await testConsole.openConsole()
  await testConsole.json('GET', `/api/keys/${testConsole.keys.chat}/parameters`)
  expect(testConsole.platform.requests.at(-1)?.headers.authorization).toBe(`Bearer ${testConsole.secretKey}-chat`)
})

it('without the right token the command changes nothing and says so', async () => {
  const before = readMasterKeyFile()
  await expect(renew({ SETUP_TOKEN: 'some-other-setup-token' })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/api/session: 401') as string,
  })
  expect(readMasterKeyFile()).toBe(before)
})
