import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
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
  /** For a socket that is connected: what it reached, whatever was asked for. @throws ProblemError */
  reached: (address: string | undefined, name: string, port: string) => void
}

/** What else an address may be is refused: ranges that are not known here are no place for a key. */
const PUBLIC = 'unicast'
const PRIVATE = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat', 'deprecatedSiteLocal'])
/** Of AWS and most others, Alibaba, Azure (its wire server), AWS over IPv6, Google over IPv6. */
const METADATA = new Set(['169.254.169.254', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'])
/** Ports of services that a request of ours would only disturb; EGRESS_ALLOW may name one. */
const OTHERS = new Set([22, 23, 25, 110, 143, 465, 587, 2375, 2376, 3306, 5432, 6379, 9200, 11211, 27017].map(String))
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data'])

/**
 * `allow` is EGRESS_ALLOW: `address`, `address:port`, `[address]:port`, `name` or `name:port`, with commas between.
 * `own` is the URL of the built-in platform, which is always reached.
 */
export function egress({
  loopbackOnly,
  allow,
  own,
  never = () => [],
  resolve = dnsLookup,
}: {
  loopbackOnly: boolean
  allow: string
  own?: string | undefined
  /** Where this server itself listens and where its database does: `host:port`; never reached under any name. */
  never?: () => readonly string[]
  resolve?: typeof dnsLookup
}): Egress {
  const allowed = new Set(allow.split(',').map((entry) => entry.trim().toLowerCase()))
  if (own) allowed.add(new URL(own).host)
  const isAllowed = (host: string, port: string) =>
    allowed.has(host) || allowed.has(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)
  const isOurs = (address: string, name: string, port: string) =>
    never().some((one) => isSame(one, address, name, port))
  const mayReach = (address: string, name: string, port: string): boolean => {
    const inner = unwrapped(address)
    const range = inner?.range()
    if (!inner || !range || METADATA.has(inner.toString())) return false
    const isNamed = isAllowed(address, port) || isAllowed(name, port)
    if (isOurs(inner.toString(), name, port)) return false
    if (OTHERS.has(port) && !isNamed) return false
    if (range === PUBLIC) return true
    return PRIVATE.has(range) && (loopbackOnly || isNamed)
  }

  return {
    check(url) {
      const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
      if (METADATA_NAMES.has(host)) throw refuse(host)
      const port = portOf(url)
      if (ipaddr.isValid(host) ? !mayReach(host, host, port) : isOurs(host, host, port)) throw refuse(host)
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
    reached(address, name, port) {
      if (!address || !mayReach(address, name.toLowerCase().replace(/\.$/, ''), port)) throw refuse(name)
    },
  }
}

/** Whether an address and port are those of a service of ours; on this machine it has many names. */
function isSame(service: string, address: string, name: string, port: string): boolean {
  const url = new URL(`http://${service}`)
  if ((url.port || '80') !== port) return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return host === address || host === name || (isHere(host) && isHere(address))
}

const isHere = (host: string): boolean =>
  host === 'localhost' ||
  /^(127\.|0\.0\.0\.0$|::1?$)/.test(host) ||
  Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === host))

export const portOf = ({ port, protocol }: { port: string; protocol: string }): string =>
  port || (protocol === 'https:' ? '443' : '80')

/**
 * The canonical form of a base URL that `check` lets pass: http or https, no credentials, query or fragment, no slash at the end.
 * @throws ProblemError naming the field `base_url`.
 */
export function baseUrl(given: string, check: Egress['check'] = () => undefined): string {
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
  try {
    check(url)
  } catch {
    throw wrong(`must not lead to ${url.host}: the console does not send requests there`)
  }
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
