import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { TestConsole } from '../app.testing.ts'
import { StartupError } from '../db/startupError.ts'

const createKey = () => randomBytes(32).toString('hex')
const [first, second, third] = [createKey(), createKey(), createKey()]

describeWith(requirements.postgresql)('servers that share a PostgreSQL', () => {
  const { one, other, getDatabaseUrl } = TestConsole.pairForFile(() => ({ MASTER_KEY: first }))
  beforeAll(() => {
    one.platform.script = (_seen, response) => sendError(response, 200, { user_input_form: [] })
  })

  /** Starts the server with these settings, which it refuses, and again with those it had. @returns why it refused */
  const tryRestart = async (server: TestConsole, settings: Record<string, string>): Promise<StartupError> => {
    const before = server.settings
    await server.closeConsole()
    server.settings = settings
    const refusal: unknown = await server.openConsole().catch((error: unknown) => error)
    await server.database.close()
    server.settings = before
    await server.openConsole()
    if (!(refusal instanceof StartupError)) throw new Error('The server has started.')
    return refusal
  }
  /** Both servers open the platform's key. */
  const expectKeyOpens = async () => {
    for (const server of [one, other]) {
      await server.json('GET', `/api/keys/${one.keys.chat}/parameters`)
      expect(one.platform.requests.at(-1)?.headers.authorization).toBe(`Bearer ${one.secretKey}-chat`)
    }
  }

  it('do not start with another master key, or with none', async () => {
    for (const [settings, why] of [
      [{ MASTER_KEY: second }, /not the one of this database/],
      [{}, /MASTER_KEY is not set/],
    ] as [Record<string, string>, RegExp][]) {
      const refusal = await tryRestart(other, settings)
      expect(refusal).toMatchObject({ exitCode: 78, message: expect.stringContaining('docs/operating.md') as string })
      expect(refusal.message).toMatch(why)
    }
    await expectKeyOpens()
  })

  it('store of a master key what does not reveal it', async () => {
    const rows = await one.query(
      `SELECT (SELECT value FROM settings WHERE name = 'master_key') AS stored, json_agg(servers)::text AS servers FROM servers`,
    )
    const text = JSON.stringify(rows)
    expect(text).toMatch(/"stored":"[0-9a-f]{64}"/)
    for (const secret of [first, first.slice(0, 16), 'setup-token-of-the-tests']) expect(text).not.toContain(secret)
  })

  it('do not start with a new master key that the others cannot open, and name them', async () => {
    const refusal = await tryRestart(one, { MASTER_KEY: `${second},${first}` })
    expect(refusal.message).toMatch(
      /^This server cannot open what the first master key of MASTER_KEY encrypts: \S+ \(127/,
    )
    await expectKeyOpens()
  })

  it('replace the master key one after the other, and every key opens at each step', async () => {
    for (const MASTER_KEY of [`${first},${second}`, `${second},${first}`, second])
      for (const server of [one, other]) {
        await server.restart({ MASTER_KEY })
        await expectKeyOpens()
      }
    expect((await tryRestart(other, { MASTER_KEY: first })).message).toMatch(/not the one of this database/)
  })

  it('take another master key in place of a lost one by a command, once all of them have ended', async () => {
    const adopt = () =>
      promisify(execFile)(process.execPath, ['server/adoptMasterKeyCommand.ts'], {
        env: { ...process.env, DATABASE_URL: getDatabaseUrl(), DATA_DIR: one.folder, MASTER_KEY: third },
      })
    await expect(adopt()).rejects.toMatchObject({ code: 78, stderr: expect.stringContaining('Stop these') as string })
    await other.closeConsole()
    await one.closeConsole()
    const { stdout } = await adopt()
    expect(stdout).toBe(
      'The master key of MASTER_KEY is now the one of this database.\n' +
        '4 platform keys must be entered again; until then the console can only be read.\n',
    )
    for (const server of [one, other]) {
      server.settings = { MASTER_KEY: third }
      await server.openConsole()
      expect((await server.fetch('GET', `/api/keys/${one.keys.chat}/parameters`)).status).toBe(409)
    }
  })
})
