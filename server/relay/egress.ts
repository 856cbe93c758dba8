import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ProblemError } from '#contract/problem.ts'

/**
 * Where a request may go. Addresses of cloud metadata, link-local, unspecified, multicast and reserved ranges are never
 * reached. Loopback and private ones are allowed while the console itself listens on the loopback only (most people run
 * the platform beside it) and where EGRESS_ALLOW names them. Checked before each dispatch (undici asks no lookup for an IP
 * literal) and again on every address that a name resolves to.
 */
export interface Egress {
  /** @throws ProblemError naming what is wrong with the URL. */
  check: (url: URL) => void
  /** For `connect.lookup` of connections to a port: refuses a name when any of its addresses is refused. */
  lookup: (port: string) => LookupFunction
}

/** What else an address may be is refused: ranges that are not known here are no place for a key. */
const PUBLIC = 'unicast'
const PRIVATE = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat', 'deprecatedSiteLocal'])
const METADATA = new Set(['169.254.169.254', '100.100.100.200', 'fd00:ec2::254'])
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data'])

/**
 * `allow` is EGRESS_ALLOW: `address`, `address:port`, `[address]:port`, `name` or `name:port`, with commas between.
 * `own` is the URL of the built-in platform, which is always reached.
 */
export function egress({
  loopbackOnly,
  allow,
  own,
  resolve = dnsLookup,
}: {
  loopbackOnly: boolean
  allow: string
  own?: string | undefined
  resolve?: typeof dnsLookup
}): Egress {
  const allowed = new Set(allow.split(',').map((entry) => entry.trim().toLowerCase()))
  if (own) allowed.add(new URL(own).host)
  const isAllowed = (host: string, port: string) =>
    allowed.has(host) || allowed.has(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)
  const mayReach = (address: string, name: string, port: string): boolean => {
    const inner = unwrapped(address)
    const range = inner?.range()
    if (!inner || !range || METADATA.has(inner.toString())) return false
    if (range === PUBLIC) return true
    return PRIVATE.has(range) && (loopbackOnly || isAllowed(address, port) || isAllowed(name, port))
  }

  return {
    check(url) {
      const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
      if (METADATA_NAMES.has(host)) throw refuse(host)
      if (ipaddr.isValid(host) && !mayReach(host, host, portOf(url))) throw refuse(host)
    },
    lookup: (port) => (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        const addresses = found as LookupAddress[] | undefined
        if (error || !addresses?.length) return callback(error ?? new Error('no address'), [])
        const name = hostname.toLowerCase().replace(/\.$/, '')
        const refused = addresses.find(({ address }) => !mayReach(address, name, port))
        if (refused) return callback(refuse(hostname), [])
        if (options.all) return callback(null, addresses)
        const first = addresses[0] as LookupAddress
        callback(null, first.address, first.family)
      })
    },
  }
}

export const portOf = ({ port, protocol }: { port: string; protocol: string }): string =>
  port || (protocol === 'https:' ? '443' : '80')

/**
 * The canonical form of a base URL: http or https, no credentials, query or fragment, no slash at the end.
 * @throws ProblemError naming the field `base_url`.
 */
export function baseUrl(given: string): string {
  const wrong = (message: string) =>
    new ProblemError({
      kind: 'invalid',
      status: 400,
      message: `base_url ${message}`,
      fields: [{ path: 'body.base_url', message }],
    })
  let url: URL
  try {
    url = new URL(given)
  } catch {
    throw wrong('must be a URL such as https://host/v1')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrong('must begin with http:// or https://')
  if (url.username || url.password) throw wrong('must not hold credentials')
  if (url.search || url.hash) throw wrong('must have no query and no fragment')
  return url.origin + url.pathname.replace(/\/+$/, '')
}

/**
 * An IPv6 address that hides an IPv4 one (mapped, compatible, NAT64, 6to4) is judged as the inner one. Null when it is no
 * address, or hides one in a way that cannot be told.
 */
function unwrapped(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed
  const bytes = parsed.toByteArray()
  const hides = HIDING.find(({ prefix }) => prefix.every((byte, at) => bytes[at] === byte))
  // `::` and `::1` stand where compatible addresses do, and are none.
  if (!hides || ['unspecified', 'loopback'].includes(parsed.range())) return parsed
  return new ipaddr.IPv4(bytes.slice(hides.at, hides.at + 4))
}

const zeros = (count: number): number[] => new Array<number>(count).fill(0)
const HIDING = [
  { prefix: [...zeros(10), 0xff, 0xff], at: 12 },
  { prefix: zeros(12), at: 12 },
  { prefix: [0x00, 0x64, 0xff, 0x9b, ...zeros(8)], at: 12 },
  { prefix: [0x20, 0x02], at: 2 },
]

const refuse = (host: string) =>
  new ProblemError({ kind: 'denied', status: 403, message: `The console does not send requests to ${host}.` })
