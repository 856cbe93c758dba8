import type { lookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import { ScriptedPlatform, refuse } from '../../e2e/faults/platform.ts'
import { egress } from './egress.ts'
import { Upstream } from './upstream.ts'

/** Never reached, whatever is allowed: metadata, link-local, unspecified, multicast, broadcast, reserved, and their disguises. */
const NEVER = `
  169.254.169.254 2852039166 0xa9fea9fe 025177524776 169.254.43518 0xa9.0xfe.0xa9.0xfe 169.254.169.254. 169。254。169。254 １６９.254.169.254
  100.100.100.200 [::ffff:100.100.100.200] [::100.100.100.200] [64:ff9b::6464:64c8] [2002:6464:64c8::1] [fd00:ec2::254] [fd00:0ec2:0:0:0:0:0:254]
  [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::169.254.169.254] [::a9fe:a9fe] [64:ff9b::169.254.169.254] [64:ff9b:1::a9fe:a9fe]
  [2002:a9fe:a9fe::1] [2001:0:a9fe:a9fe::1] [::ffff:0:169.254.169.254] [fe80::1] [febf::1]
  0.0.0.0 0 0x0 [::] 0.1.2.3 224.0.0.1 239.255.255.255 [ff02::1] 255.255.255.255 240.0.0.1 192.0.0.8 192.0.2.1 198.18.0.1 198.51.100.1
  203.0.113.7 [2001:db8::1] [100::1] [3fff::1] [5f00::1] [2001:4:112::1]
  metadata.google.internal METADATA.google.internal metadata.google.internal. metadata.google.internal.. metadata.goog instance-data`
  .trim()
  .split(/\s+/)

/** Reached while the console listens on the loopback only, or where EGRESS_ALLOW names them. */
const PRIVATE = `
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 127.0.0.1. 127.255.255.254 １２７.0.0.1 127。0。0。1
  [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::1]
  10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 3232235777 [::ffff:10.0.0.1] 100.64.0.1 [fc00::1] [fd12:3456::1] [fec0::1]`
  .trim()
  .split(/\s+/)

const PUBLIC = '1.1 8.8.8.8 93.184.216.34 [2606:4700::1111] [::ffff:8.8.8.8] [64:ff9b::808:808] example.com'.split(' ')

const passes = (host: string, loopbackOnly: boolean, allow = '') => {
  try {
    egress({ loopbackOnly, allow }).check(new URL(`http://${host}:8080/v1`))
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError)
    return false
  }
}

describe('egress', () => {
  it('never lets a request go to some addresses, however they are written', () => {
    expect(NEVER.length + PRIVATE.length).toBeGreaterThan(70)
    const everything = NEVER.map((host) => `${host},${host}:8080`).join(',')
    for (const host of NEVER) {
      expect([host, passes(host, true, everything)]).toEqual([host, false])
      expect([host, passes(host, false, everything)]).toEqual([host, false])
    }
  })

  it('lets one go to private addresses from a console on the loopback, and to public ones from any', () => {
    for (const host of PRIVATE) {
      expect([host, passes(host, true)]).toEqual([host, true])
      expect([host, passes(host, false)]).toEqual([host, false])
    }
    for (const host of PUBLIC) expect([host, passes(host, false)]).toEqual([host, true])
  })

  it('lets one go where EGRESS_ALLOW says, at that port', () => {
    expect(passes('10.0.0.1', false, '10.0.0.1')).toBe(true)
    expect(passes('10.0.0.1', false, ' 10.0.0.2 , 10.0.0.1:8080')).toBe(true)
    expect(passes('10.0.0.1', false, '10.0.0.1:80')).toBe(false)
    expect(passes('10.0.0.1', false, '10.0.0.11')).toBe(false)
    expect(passes('[fd00::1]', false, '[fd00::1]:8080')).toBe(true)
    expect(passes('[fd00::1:80]', false, '[fd00::1]:80')).toBe(false)
  })

  it('always lets one go to the built-in platform, and to no other port beside it', () => {
    const { check } = egress({ loopbackOnly: false, allow: '', own: 'http://127.0.0.1:8788/v1' })
    expect(() => check(new URL('http://127.0.0.1:8788/v1/datasets'))).not.toThrow()
    expect(() => check(new URL('http://127.0.0.1:8787/api'))).toThrow(ProblemError)
  })

  describe('of a name', () => {
    let platform: ScriptedPlatform
    beforeAll(async () => {
      platform = await ScriptedPlatform.start()
      platform.script = (_seen, response) => refuse(response, 200, {})
    })
    afterAll(() => platform.close())

    const resolver = (...addresses: string[]) =>
      ((_name: string, _options: unknown, callback: (error: null, found: LookupAddress[]) => void) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )) as unknown as typeof lookup
    const send = async (addresses: string[], allow = '', loopbackOnly = false) => {
      const upstream = new Upstream(egress({ loopbackOnly, allow, resolve: resolver(...addresses) }))
      const port = new URL(platform.url).port
      const credential = {
        key_id: '',
        kind: 'chat',
        label: '',
        hint: null,
        workspace_id: '',
        secret: 'x',
        dialect: {},
      } as const
      try {
        const answer = await upstream.send(
          { ...credential, base_url: `http://platform.test:${port}/v1` },
          { method: 'GET', path: '/parameters', accept: 'application/json', patience: 5_000 },
          'id',
        )
        await answer.body.dump()
        return answer.status
      } catch (error) {
        return (error as ProblemError).problem.kind
      } finally {
        await upstream.close()
      }
    }

    it('looks at every address, and at the port', async () => {
      const port = new URL(platform.url).port
      expect(await send(['127.0.0.1'], '', true)).toBe(200)
      expect(await send(['127.0.0.1'], `127.0.0.1:${port}`)).toBe(200)
      expect(await send(['127.0.0.1'], `platform.test:${port}`)).toBe(200)
      const before = platform.seen.length
      expect(await send(['127.0.0.1'])).toBe('denied')
      expect(await send(['127.0.0.1'], '127.0.0.1:1')).toBe('denied')
      expect(await send(['127.0.0.1'], 'platform.test:1')).toBe('denied')
      expect(await send(['127.0.0.1', '169.254.169.254'], '', true)).toBe('denied')
      expect(await send(['8.8.8.8', '::ffff:127.0.0.1'])).toBe('denied')
      expect(await send(['::ffff:a9fe:a9fe'], 'platform.test', true)).toBe('denied')
      expect(platform.seen.length).toBe(before)
    })
  })
})
