import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refuse } from '../../e2e/faults/platform.ts'
import { Bench } from '../app.testing.ts'

const run = promisify(execFile)
let bench: Bench
beforeAll(async () => {
  bench = await Bench.start()
})
afterAll(() => bench.remove())

const renew = (env: Record<string, string>) =>
  run(process.execPath, ['checks/renew-master.ts', '--base', bench.url], { env: { ...process.env, ...env } })
const master = () => readFileSync(join(bench.folder, 'secrets', 'master.key'), 'utf8')

it('the command seals all keys anew, and the platform still gets the right one', async () => {
  const before = master()
  const { stdout } = await renew({ SETUP_TOKEN: 'setup-token-of-the-tests' })
  expect(stdout).toBe('4 keys are sealed with a new master key. The one before it is forgotten.\n')
  expect(master()).not.toBe(before)
  expect(master()).not.toContain(before.trim())
  bench.platform.script = (_seen, response) => refuse(response, 200, { user_input_form: [] })
  await bench.shut()
  await bench.open()
  await bench.json('GET', `/api/keys/${bench.keys.chat}/parameters`)
  expect(bench.platform.seen.at(-1)?.headers.authorization).toBe(`Bearer ${bench.sentinel}-chat`)
})

it('without the right token the command changes nothing and says so', async () => {
  const before = master()
  await expect(renew({ SETUP_TOKEN: 'some-other-setup-token' })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/api/session: 401') as string,
  })
  expect(master()).toBe(before)
})
