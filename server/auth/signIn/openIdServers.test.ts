import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import { TestConsole } from '../../app.testing.ts'
import { ConsoleBrowser, CONSOLE_SETTINGS, OpenIdPeer } from './openIdPeer.testing.ts'

describeWith(requirements.postgresql)('two servers at one OpenID provider', () => {
  let peer: OpenIdPeer
  beforeAll(async () => {
    peer = await OpenIdPeer.start({ configuration: { rotateRefreshToken: true } })
  })
  afterAll(() => peer.close())
  const { one, other } = TestConsole.pairForFile(() => ({
    ...CONSOLE_SETTINGS,
    OIDC_ISSUER: peer.url,
    MASTER_KEY: 'ab'.repeat(32),
  }))

  /** The same browser, whose requests the balancer sends to the other server. */
  const movedTo = (server: TestConsole, browser: ConsoleBrowser) => {
    const moved = new ConsoleBrowser(server)
    for (const [name, value] of browser.cookies) moved.cookies.set(name, value)
    return moved
  }

  it('finish a sign-in that the other began, and end a session that was reported to the other', async () => {
    const begun = new ConsoleBrowser(one)
    const back = await begun.atProvider.signIn(await begun.begin(), 'alice')
    const there = movedTo(other, begun)
    expect(await there.finish(back)).toBe('/runs')
    const here = movedTo(one, there)
    for (const browser of [here, there]) expect(await browser.readPerson()).toEqual({ name: 'Alice', role: 'admin' })
    peer.consoleUrl = one.url
    const url = (await here.request('DELETE', '/api/session')).json<{ provider_url: string }>().provider_url
    expect(url).toContain('id_token_hint=')
    await vi.waitFor(async () => expect(await there.readPerson()).toBeNull())
  })

  it('ask once about a session that is due, and both know when it ended', async () => {
    peer.accounts.set('carol', { preferred_username: 'Carol', groups: ['loupe'] })
    const carol = new ConsoleBrowser(one)
    expect(await carol.signIn('carol')).toBe('/runs')
    const checkNow = async () => {
      await one.query(`UPDATE oidc_sessions SET next_check_at = now() - interval '1 second'`)
      const checks = [one, other].flatMap((server) => server.console.openId?.sessionCheck ?? [])
      for (const check of checks) check.runSoon()
      await Promise.all(checks.map((check) => check.whenIdle()))
    }
    const countTokenRequests = () => peer.requests.filter((path) => path === '/token').length
    const before = countTokenRequests()
    await checkNow()
    expect(countTokenRequests()).toBe(before + 1)
    expect(await carol.readPerson()).toMatchObject({ name: 'Carol' })
    peer.accounts.delete('carol')
    await checkNow()
    for (const server of [one, other])
      await vi.waitFor(async () => expect(await movedTo(server, carol).readPerson()).toBeNull())
    expect(await movedTo(other, carol).readEndReason()).toBe('provider')
  })
})
