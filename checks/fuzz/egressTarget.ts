import { BlockList, isIP, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { ProblemError } from '#contract/problem.ts'
import { toBaseUrl, createEgressPolicy } from '../../server/vault/egressPolicy.ts'
import { requireThat, createTarget, type FuzzTarget } from './target.ts'

const FORBIDDEN_RANGES =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 224.0.0.0/4 240.0.0.0/4 ' +
  '::/128 ::1/128 fc00::/7 fe80::/10 ff00::/8'

const byteArbitrary = fc.oneof(fc.nat(255), fc.constantFrom(0, 10, 127, 169, 172, 192, 254, 255, 100, 64))
const ipv4Arbitrary = fc.tuple(byteArbitrary, byteArbitrary, byteArbitrary, byteArbitrary)
const groupArbitrary = fc.oneof(
  fc.nat(0xffff),
  fc.constantFrom(0, 0xffff, 0x7f00, 0xfe80, 0xfc00, 0x64, 0xff9b, 0x2002),
)
const toHexGroup = (bytes: readonly number[]): string =>
  `${((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)).toString(16)}:${((bytes[2] ?? 0) * 256 + (bytes[3] ?? 0)).toString(16)}`
const hostArbitrary = fc.oneof(
  ipv4Arbitrary.map((bytes) => bytes.join('.')),
  ipv4Arbitrary.map((bytes) => bytes.map((one) => `0x${one.toString(16)}`).join('.')),
  ipv4Arbitrary.map((bytes) => bytes.map((one) => `0${one.toString(8)}`).join('.')),
  fc.nat(0xffffffff).map(String),
  ipv4Arbitrary.map((bytes) => `[::ffff:${bytes.join('.')}]`),
  ipv4Arbitrary.map((bytes) => `[::${bytes.join('.')}]`),
  ipv4Arbitrary.map((bytes) => `[64:ff9b::${toHexGroup(bytes)}]`),
  ipv4Arbitrary.map((bytes) => `[2002:${toHexGroup(bytes)}::]`),
  fc
    .array(groupArbitrary, { minLength: 8, maxLength: 8 })
    .map((groups) => `[${groups.map((one) => one.toString(16)).join(':')}]`),
  fc.domain(),
  fc.string(),
)

/** No address of a private or reserved range is reached, in any notation. */
export function createEgressTarget(): FuzzTarget {
  const forbidden = new BlockList()
  for (const [address = '', length] of FORBIDDEN_RANGES.split(' ').map((range) => range.split('/')))
    forbidden.addSubnet(address, Number(length), isIPv6(address) ? 'ipv6' : 'ipv4')
  const guard = createEgressPolicy({ loopbackOnly: false, allow: '' })
  const isForbidden = (address: string): boolean =>
    forbidden.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ||
    listHiddenIpv4(address).some((one) => forbidden.check(one))
  return createTarget(
    fc.tuple(fc.constantFrom('http', 'https'), hostArbitrary, fc.constantFrom('', ':80', ':8080', '.', '/v1', '@x')),
    ([scheme, name, tail]: [string, string, string]) => {
      let url: URL
      try {
        url = new URL(toBaseUrl(`${scheme}://${name}${tail}`))
        guard.requireAllowedUrl(url)
      } catch (error) {
        if (error instanceof ProblemError) return
        throw error
      }
      const address = url.hostname.replace(/^\[|\]$/g, '')
      if (isIP(address)) requireThat(!isForbidden(address), `${address} would be reached.`)
    },
  )
}

/** The IPv4 addresses that an IPv6 one carries in its last groups, or after 2002. */
function listHiddenIpv4(address: string): string[] {
  if (!isIPv6(address)) return []
  const found = /^(?:::ffff:|::|64:ff9b::|2002:)([0-9a-f]{1,4}):([0-9a-f]{1,4})(?:::)?$/.exec(address)
  if (!found) return []
  const [high, low] = [parseInt(found[1] ?? '0', 16), parseInt(found[2] ?? '0', 16)]
  return [`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`]
}
