import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { TestConsole } from '../app.testing.ts'
import { ADVISORY_LOCKS } from '../db/advisoryLocks.ts'
import { startPostgresql } from '../db/postgresql.testing.ts'

const run = promisify(execFile)
const testConsole = TestConsole.forFile()

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
  await testConsole.restart()
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

const listUsable = async () => {
  const { data } = await testConsole.json<{ data: { keys: { usable: boolean }[] }[] }>('GET', '/api/workspaces')
  return data.flatMap(({ keys }) => keys.map(({ usable }) => usable))
}

it('loses no key when it is asked for several times at once', async () => {
  const renewals = Array.from({ length: 5 }, () => testConsole.fetch('POST', '/api/vault/renew'))
  expect((await Promise.all(renewals)).map(({ status }) => status)).toEqual(renewals.map(() => 200))
  await testConsole.restart()
  expect(await listUsable()).toEqual([true, true, true, true])
  expect(readMasterKeyFile()).toMatch(/^\w{64}\n$/)
})

it.each(['webhooks', 'keys'])('is refused while one of the %s is damaged, which stops no start and costs no other key', async (table) => {
  await testConsole.json('PUT', `/api/workspaces/${testConsole.workspace}/webhook`, { url: 'https://hooks.example/in' })
  const [row] = await testConsole.query<{ sealed: string }>(`SELECT sealed FROM ${table} LIMIT 1`)
  const damage = (from: string, to: string) =>
    testConsole.query(`UPDATE ${table} SET sealed = $2 WHERE sealed = $1`, [from, to])
  const damaged = `${row?.sealed.slice(0, -4) ?? ''}AAAA`
  await damage(row?.sealed ?? '', damaged)
  for (const _time of ['once', 'twice']) {
    const refused = await testConsole.fetch('POST', '/api/vault/renew')
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('must be entered again')])
    await testConsole.restart()
  }
  await damage(damaged, row?.sealed ?? '')
  await testConsole.restart()
  expect(readMasterKeyFile()).toMatch(/^\w{64}\n$/)
  expect(await listUsable()).toEqual([true, true, true, true])
  expect((await testConsole.fetch('POST', '/api/vault/renew')).status).toBe(200)
}) // prettier-ignore

describeWith(requirements.postgresql)('a key and a webhook that are saved while the master key is renewed', () => {
  it('can be opened afterwards', async () => {
    const postgresql = await startPostgresql()
    const server = await TestConsole.start(postgresql.url)
    const { pool } = server.database
    const path = `/api/workspaces/${server.workspace}`
    const expectWaiting = (count: number) =>
      expect.poll(async () => (await pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount).toBe(count)
    const requests = await server.database.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.audit])
      const key = server.fetch('POST', `${path}/keys`, { kind: 'chat', label: 'New', key: 'app-saved-meanwhile' })
      await expectWaiting(1)
      const webhook = server.fetch('PUT', `${path}/webhook`, { url: 'https://hooks.example/in' })
      await expectWaiting(2)
      const renewal = server.fetch('POST', '/api/vault/renew')
      await expectWaiting(3)
      return [key, webhook, renewal]
    })
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200, 200])
    const { data } = await server.json<{ data: { keys: { usable: boolean }[] }[] }>('GET', '/api/workspaces')
    expect(data.flatMap(({ keys }) => keys.map(({ usable }) => usable))).toEqual([true, true, true, true, true])
    const { rows } = await pool.query<{ sealed: string }>('SELECT sealed FROM webhooks')
    const { encryption } = server.console.vault
    expect(encryption.openWebhook(server.workspace, rows[0]?.sealed ?? '')).toContain('hooks.example')
    await server.remove()
    await postgresql.stop()
  })
})
