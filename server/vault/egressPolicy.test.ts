import type { lookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import { ScriptedPlatform, sendError } from '#support/platforms/scriptedPlatform.ts'
import {
  RESERVED_IPV4,
  FORBIDDEN_RANGES,
  FORBIDDEN_IPV4,
  PRIVATE_RANGES,
  PRIVATE_IPV4,
  listIpv4Notations,
} from './egressAddresses.testing.ts'
import { toBaseUrl, createEgressPolicy } from './egressPolicy.ts'
import { UpstreamClient } from '../relay/upstream/upstream.ts'

/** Never reached, whatever is allowed: metadata, link-local, unspecified, multicast, broadcast, reserved, and their disguises. */
const FORBIDDEN_NOTATIONS = `
  169.254.169.254 2852039166 0xa9fea9fe 025177524776 169.254.43518 0xa9.0xfe.0xa9.0xfe 169.254.169.254. 169。254。169。254 １６９.254.169.254
  100.100.100.200 [::ffff:100.100.100.200] [::100.100.100.200] [64:ff9b::6464:64c8] [2002:6464:64c8::1] [fd00:ec2::254] [fd00:0ec2:0:0:0:0:0:254]
  168.63.129.16 2822734096 0xa83f8110 [::ffff:168.63.129.16] [64:ff9b::a83f:8110] [fd20:ce::254] [fd20:00ce:0:0:0:0:0:254]
  [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::169.254.169.254] [::a9fe:a9fe] [64:ff9b::169.254.169.254] [64:ff9b:1::a9fe:a9fe]
  [2002:a9fe:a9fe::1] [2001:0:a9fe:a9fe::1] [::ffff:0:169.254.169.254] [fe80::1] [febf::1]
  0.0.0.0 0 0x0 [::] 0.1.2.3 224.0.0.1 239.255.255.255 [ff02::1] 255.255.255.255 240.0.0.1 192.0.0.8 192.0.2.1 198.18.0.1 198.51.100.1
  203.0.113.7 [2001:db8::1] [100::1] [3fff::1] [5f00::1] [2001:4:112::1]
  metadata.google.internal METADATA.google.internal metadata.google.internal. metadata.google.internal.. metadata.goog instance-data`
  .trim()
  .split(/\s+/)

/** Reached while the console listens on the loopback only, or where EGRESS_ALLOW names them. */
const PRIVATE_NOTATIONS = `
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 127.0.0.1. 127.255.255.254 １２７.0.0.1 127。0。0。1
  [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::1]
  10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 3232235777 [::ffff:10.0.0.1] 100.64.0.1 [fc00::1] [fd12:3456::1] [fec0::1]`
  .trim()
  .split(/\s+/)

const forbiddenHosts = [
  ...new Set([...FORBIDDEN_NOTATIONS, ...[...FORBIDDEN_IPV4, ...RESERVED_IPV4].flatMap(listIpv4Notations)]),
]
const privateHosts = [...new Set([...PRIVATE_NOTATIONS, ...PRIVATE_IPV4.flatMap(listIpv4Notations)])]

const PUBLIC_HOSTS =
  '1.1 8.8.8.8 93.184.216.34 [2606:4700::1111] [::ffff:8.8.8.8] [64:ff9b::808:808] example.com'.split(' ')

const isAllowed = (host: string, loopbackOnly: boolean, allow = '') => {
  try {
    createEgressPolicy({ loopbackOnly, allow }).requireAllowedUrl(new URL(`http://${host}:8080/v1`))
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError)
    return false
  }
}

describe('egress', () => {
  it('never lets a request go to some addresses, however they are written', () => {
    expect(forbiddenHosts.length + privateHosts.length).toBeGreaterThan(300)
    const everything = forbiddenHosts.map((host) => `${host},${host}:8080`).join(',')
    for (const host of forbiddenHosts) {
      expect([host, isAllowed(host, true, everything)]).toEqual([host, false])
      expect([host, isAllowed(host, false, everything)]).toEqual([host, false])
    }
  })

  it('lets one go to private addresses from a console on the loopback, and to public ones from any', () => {
    for (const host of privateHosts) {
      expect([host, isAllowed(host, true)]).toEqual([host, true])
      expect([host, isAllowed(host, false)]).toEqual([host, false])
    }
    for (const host of PUBLIC_HOSTS) expect([host, isAllowed(host, false)]).toEqual([host, true])
  })

  it('lets one go where EGRESS_ALLOW says, at that port', () => {
    expect(isAllowed('10.0.0.1', false, '10.0.0.1')).toBe(true)
    expect(isAllowed('10.0.0.1', false, ' 10.0.0.2 , 10.0.0.1:8080')).toBe(true)
    expect(isAllowed('10.0.0.1', false, '10.0.0.1:80')).toBe(false)
    expect(isAllowed('10.0.0.1', false, '10.0.0.11')).toBe(false)
    expect(isAllowed('[fd00::1]', false, '[fd00::1]:8080')).toBe(true)
    expect(isAllowed('[fd00::1:80]', false, '[fd00::1]:80')).toBe(false)
  })

  it('always lets one go to the built-in platform, and to no other port beside it', () => {
    const { requireAllowedUrl } = createEgressPolicy({
      loopbackOnly: false,
      allow: '',
      own: 'http://127.0.0.1:8788/v1',
    })
    expect(() => requireAllowedUrl(new URL('http://127.0.0.1:8788/v1/datasets'))).not.toThrow()
    expect(() => requireAllowedUrl(new URL('http://127.0.0.1:8787/api'))).toThrow(ProblemError)
  })

  it('never lets one go to this server itself or its database, under any of their names', () => {
    const never = () => ['127.0.0.1:8787', 'db.internal:5432']
    const isAllowed = (url: string) => {
      try {
        createEgressPolicy({ loopbackOnly: true, allow: '127.0.0.1:8787', never }).requireAllowedUrl(new URL(url))
        return true
      } catch {
        return false
      }
    }
    for (const host of listIpv4Notations('127.0.0.1'))
      expect([host, isAllowed(`http://${host}:8787/v1`)]).toEqual([host, false])
    expect(isAllowed('http://[::1]:8787/v1')).toBe(false)
    expect(isAllowed('http://localhost:8787/v1')).toBe(false)
    expect(isAllowed('http://db.internal:5432/v1')).toBe(false)
    expect(isAllowed('http://127.0.0.1:8788/v1')).toBe(true)
    expect(isAllowed('http://8.8.8.8:6379/v1')).toBe(false)
  })

  it('judges any address as the registries of special addresses do', () => {
    const part = fc.oneof(
      fc.nat(65_535),
      fc.constantFrom(0, 1, 0x64, 0x2001, 0xfc00, 0xfe80, 0xfec0, 0xff02, 0x3fff, 0x5f00),
    )
    const six = fc
      .array(part, { minLength: 8, maxLength: 8 })
      .map((parts) => parts.map((one) => one.toString(16)).join(':'))
    const head = fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255)
    const octet = fc.nat(255)
    const four = fc.tuple(
      fc.oneof(octet, head),
      fc.oneof(octet, fc.constantFrom(0, 16, 51, 64, 88, 168, 254)),
      octet,
      octet,
    )
    fc.assert(
      fc.property(
        fc.oneof(
          six,
          four.map((parts) => parts.join('.')),
        ),
        (address) => {
          const family = address.includes(':') ? 'ipv6' : 'ipv4'
          // What hides another address is judged as that one: the table above has them.
          if (family === 'ipv6' && /^(0:0:0:0:0:(0|ffff):|64:ff9b:0:0:0:0:|2002:)/.test(address)) return
          const isNever = FORBIDDEN_RANGES.check(address, family)
          const isPrivate = !isNever && PRIVATE_RANGES.check(address, family)
          const host = family === 'ipv6' ? `[${address}]` : address
          expect([isAllowed(host, true), isAllowed(host, false)]).toEqual([!isNever, !isNever && !isPrivate])
        },
      ),
      { numRuns: 20_000 },
    )
  })

  it('is asked before an address is kept, and says at the field what is wrong', () => {
    const { requireAllowedUrl } = createEgressPolicy({ loopbackOnly: true, allow: '' })
    const toResult = (given: string) => {
      try {
        return toBaseUrl(given, requireAllowedUrl)
      } catch (error) {
        const { fields } = (error as ProblemError).problem
        return `${fields?.[0]?.path} ${fields?.[0]?.message}`
      }
    }
    expect(toResult('http://0x7f.1:80/v1//')).toBe('http://127.0.0.1/v1')
    expect(toResult('HTTPS://Platform.Example./v1/')).toBe('https://platform.example./v1')
    expect(toResult('file:///etc/passwd')).toBe('body.base_url must begin with http:// or https://')
    expect(toResult('http://user:word@host/v1')).toBe('body.base_url must not hold credentials')
    expect(toResult('http://host/v1?key=1')).toBe('body.base_url must have no query and no fragment')
    expect(toResult('http://[fe80::1%25eth0]/v1')).toBe('body.base_url must be a URL such as https://host/v1')
    for (const host of ['2852039166', '[::ffff:a9fe:a9fe]', 'metadata.google.internal', '169.254.169.254'])
      expect(toResult(`http://${host}/v1`)).toMatch(/^body\.base_url must not lead to /)
  })

  describe('of a name', () => {
    let platform: ScriptedPlatform
    beforeAll(async () => {
      platform = await ScriptedPlatform.start()
      platform.script = (_seen, response) => sendError(response, 200, {})
    })
    afterAll(() => platform.close())

    const resolver = (...addresses: string[]) =>
      ((_name: string, _options: unknown, callback: (error: null, found: LookupAddress[]) => void) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )) as unknown as typeof lookup
    const send = async (addresses: string[], allow = '', loopbackOnly = false) => {
      const upstream = new UpstreamClient(createEgressPolicy({ loopbackOnly, allow, resolve: resolver(...addresses) }))
      const port = new URL(platform.url).port
      const credential = {
        key_id: '',
        kind: 'chat',
        label: '',
        hint: null,
        workspace_id: '',
        secret: 'x',
        mode: null,
        dialect: {},
      } as const
      try {
        const answer = await upstream.send(
          { ...credential, base_url: `http://platform.test:${port}/v1` },
          { method: 'GET', path: '/parameters', accept: 'application/json', timeoutMs: 5_000 },
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
      const before = platform.requests.length
      expect(await send(['127.0.0.1'])).toBe('denied')
      expect(await send(['127.0.0.1'], '127.0.0.1:1')).toBe('denied')
      expect(await send(['127.0.0.1'], 'platform.test:1')).toBe('denied')
      expect(await send(['127.0.0.1', '169.254.169.254'], '', true)).toBe('denied')
      expect(await send(['8.8.8.8', '::ffff:127.0.0.1'])).toBe('denied')
      expect(await send(['::ffff:a9fe:a9fe'], 'platform.test', true)).toBe('denied')
      expect(platform.requests.length).toBe(before)
    })
  })
})
