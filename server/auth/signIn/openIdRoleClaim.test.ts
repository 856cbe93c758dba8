import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestConsole } from '../../app.testing.ts'
import { ConsoleBrowser, CONSOLE_SETTINGS } from './openIdPeer.testing.ts'
import { CLIENT, ScriptedOpenIdProvider } from './openIdProvider.testing.ts'

describe('the role claim of a refreshed ID token', () => {
  let provider: ScriptedOpenIdProvider
  beforeAll(async () => {
    provider = await ScriptedOpenIdProvider.start()
  })
  afterAll(() => provider.close())
  const getSettings = () => ({ ...CONSOLE_SETTINGS, OIDC_CLIENT_ID: CLIENT.id, OIDC_ISSUER: provider.url })
  const testConsole = TestConsole.forFile(undefined, getSettings)

  const signIn = async (sub: string) => {
    provider.claims = { sub, preferred_username: sub, groups: ['loupe'] }
    provider.refreshedClaims = {}
    const browser = new ConsoleBrowser(testConsole)
    const there = await fetch(await browser.begin(), { redirect: 'manual' })
    expect(await browser.finish(new URL(there.headers.get('location') ?? ''))).toBe('/runs')
    return browser
  }
  /** @returns the lines of the log that say that a role is not known */
  const check = async (refreshedClaims: object): Promise<string[]> => {
    provider.refreshedClaims = { ...refreshedClaims }
    const start = testConsole.log.length
    await testConsole.query(`UPDATE oidc_sessions SET next_check_at = now() - interval '1 second'`)
    testConsole.console.openId?.sessionCheck.runSoon()
    await testConsole.console.openId?.sessionCheck.whenIdle()
    const lines = testConsole.log.slice(start).split('\n')
    return lines.filter((line) => line.includes('repeats no role claim'))
  }

  it('may be missing where only the sign-in has it: the session goes on, and the log says so', async () => {
    const ana = await signIn('ana')
    for (const time of ['first', 'second']) {
      const [line = '', ...others] = await check({})
      expect([time, others]).toEqual([time, []])
      expect(line).toMatch(/"level":40.*"claim":"groups","claim_missing":true/)
      expect(line).not.toContain('"ana"')
      expect(await ana.readPerson()).toEqual({ name: 'ana', role: 'operator' })
    }
  })

  it('decides where it came without a value of OIDC_ROLES', async () => {
    const bo = await signIn('bo')
    await check({ groups: ['others'] })
    expect([await bo.readPerson(), await bo.readEndReason()]).toEqual([null, 'role'])
  })

  it('decides by its absence where the provider repeated it once', async () => {
    const cleo = await signIn('cleo')
    expect(await check({ groups: ['loupe'] })).toEqual([])
    expect(await cleo.readPerson()).toEqual({ name: 'cleo', role: 'operator' })
    await check({})
    expect([await cleo.readPerson(), await cleo.readEndReason()]).toEqual([null, 'role'])
  })
})
