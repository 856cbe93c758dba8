import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { FastifyInstance } from 'fastify'
import { ProblemError } from '#contract/problem.ts'
import { correctBaseUrl } from '#domain/platformKeys/baseUrl.ts'

/**
 * The allowed destinations of a request. Cloud metadata, link-local, unspecified, multicast and reserved addresses
 * are always blocked. Loopback and private ones are allowed while the console itself listens only on the loopback
 * (most people run the platform on the same machine), and if EGRESS_ALLOW lists them. Checked before each dispatch
 * (undici does no lookup for an IP literal) and for every address that a name resolves to.
 */
export interface EgressPolicy {
  /** @throws ProblemError that names the fault of the URL */
  requireAllowedUrl: (url: URL) => void
  /** A `connect.lookup` for a port: it refuses a name if any of its addresses is refused. */
  createLookup: (port: string) => LookupFunction
  /** Checks the address of a connected socket, regardless of the requested name. @throws ProblemError */
  requireAllowedPeer: (address: string | undefined, name: string, port: string) => void
  /**
   * The policy for addresses that a platform names, not an admin: private ones only if EGRESS_ALLOW lists them,
   * wherever the console listens.
   */
  createLinkPolicy: () => EgressPolicy
}

/** A refused destination. `allowEntry` is the entry of EGRESS_ALLOW that would permit it; null where none does. */
export class EgressDeniedError extends ProblemError {
  readonly allowEntry: string | null
  constructor(name: string, port: string, isAllowable: boolean) {
    const host = `${name.includes(':') ? `[${name}]` : name}:${port}`
    super({ kind: 'denied', status: 403, message: `The console does not send requests to ${host}.` })
    this.allowEntry = isAllowable ? host : null
  }
}

/** All other ranges are blocked: no key is sent to an address of an unknown range. */
const PUBLIC_RANGE = 'unicast'
const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat', 'deprecatedSiteLocal'])
/** Of AWS and most others, Alibaba, Azure (its WireServer), AWS over IPv6, Google over IPv6. */
const METADATA_ADDRESSES = new Set([
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
])
/** Ports of services that a request could only disturb; EGRESS_ALLOW may list one. */
const OTHER_SERVICE_PORTS = new Set(
  [22, 23, 25, 110, 143, 465, 587, 2375, 2376, 3306, 5432, 6379, 9200, 11211, 27017].map(String),
)
const METADATA_HOST_NAMES = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data'])

/**
 * `allow` is EGRESS_ALLOW: `address`, `address:port`, `[address]:port`, `name` or `name:port`, with commas between.
 * `own` is the URL of the built-in platform, which is always allowed.
 */
export function createEgressPolicy(options: {
  loopbackOnly: boolean
  allow: string
  own?: string | undefined
  /** `host:port` of this server and its database; blocked under every name. */
  never?: () => readonly string[]
  resolve?: typeof dnsLookup
}): EgressPolicy {
  const {
    loopbackOnly,
    allow,
    own: builtInPlatformUrl,
    never: getForbiddenHosts = () => [],
    resolve = dnsLookup,
  } = options
  const allowed = new Set(allow.split(',').map((entry) => entry.trim().toLowerCase()))
  if (builtInPlatformUrl) allowed.add(new URL(builtInPlatformUrl).host)
  const isAllowed = (host: string, port: string) =>
    allowed.has(host) || allowed.has(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)
  const isOwnService = (address: string, name: string, port: string) =>
    getForbiddenHosts().some((one) => isSameService(one, address, name, port))
  const mayReach = (
    address: string,
    name: string,
    port: string,
    isNamed = isAllowed(address, port) || isAllowed(name, port),
  ): boolean => {
    const inner = unwrapIpv4(address)
    const range = inner?.range()
    if (!inner || !range || METADATA_ADDRESSES.has(inner.toString())) return false
    if (isOwnService(inner.toString(), name, port)) return false
    if (OTHER_SERVICE_PORTS.has(port) && !isNamed) return false
    if (range === PUBLIC_RANGE) return true
    return PRIVATE_RANGES.has(range) && (loopbackOnly || isNamed)
  }

  const toDeniedError = (addresses: string[], name: string, port: string) =>
    new EgressDeniedError(
      name,
      port,
      addresses.every((one) => mayReach(one, name, port, true)),
    )

  return {
    createLinkPolicy: () => createEgressPolicy({ ...options, loopbackOnly: false, own: undefined }),
    requireAllowedUrl(url) {
      const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
      const port = getPort(url)
      if (
        METADATA_HOST_NAMES.has(host) ||
        (ipaddr.isValid(host) ? !mayReach(host, host, port) : isOwnService(host, host, port))
      )
        throw toDeniedError([host], host, port)
    },
    createLookup: (port) => (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        const addresses = found as LookupAddress[] | undefined
        if (error || !addresses?.length) return callback(error ?? new Error('no address'), [])
        const name = hostname.toLowerCase().replace(/\.$/, '')
        const all = addresses.map(({ address }) => address)
        if (!all.every((one) => mayReach(one, name, port))) return callback(toDeniedError(all, name, port), [])
        if (options.all) return callback(null, addresses)
        const first = addresses[0] as LookupAddress
        callback(null, first.address, first.family)
      })
    },
    requireAllowedPeer(address = '', hostname, port) {
      const name = hostname.toLowerCase().replace(/\.$/, '')
      if (!mayReach(address, name, port)) throw toDeniedError([address], name, port)
    },
  }
}

/** Whether an address and port belong to one of the console's own services; this machine has many names. */
function isSameService(service: string, address: string, name: string, port: string): boolean {
  const url = new URL(`http://${service}`)
  if ((url.port || '80') !== port) return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return host === address || host === name || (isLocalAddress(host) && isLocalAddress(address))
}

const isLocalAddress = (host: string): boolean =>
  host === 'localhost' ||
  /^(127\.|0\.0\.0\.0$|::1?$)/.test(host) ||
  Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === host))

export const getPort = ({ port, protocol }: { port: string; protocol: string }): string =>
  port || (protocol === 'https:' ? '443' : '80')

/**
 * The canonical form of a base URL that `requireAllowedUrl` accepts: http or https, no credentials, query or
 * fragment, no trailing slash.
 * @throws ProblemError naming the field `base_url`
 */
export function toBaseUrl(
  input: string,
  requireAllowedUrl: EgressPolicy['requireAllowedUrl'] = () => undefined,
): string {
  const toUrlError = (message: string) =>
    new ProblemError({
      kind: 'invalid',
      status: 400,
      message: `base_url ${message}`,
      fields: [{ path: 'body.base_url', message }],
    })
  let url: URL
  try {
    url = new URL(input)
  } catch {
    throw toUrlError(`must be a URL such as ${correctBaseUrl(input) ?? 'https://host/v1'}`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const suggestion = correctBaseUrl(input)
    throw toUrlError(`must begin with http:// or https://${suggestion ? `, such as ${suggestion}` : ''}`)
  }
  if (url.username || url.password) throw toUrlError('must not hold credentials')
  if (url.search || url.hash) throw toUrlError('must have no query and no fragment')
  try {
    requireAllowedUrl(url)
  } catch {
    throw toUrlError(`must not lead to ${url.host}: the console does not send requests there`)
  }
  return url.origin + url.pathname.replace(/\/+$/, '')
}

/**
 * An embedded IPv4 address (mapped, compatible, NAT64, 6to4) is checked instead of its IPv6 address. Null when it is not an
 * address, or embeds one in a form that cannot be decoded.
 */
function unwrapIpv4(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed
  const bytes = parsed.toByteArray()
  const hides = IPV4_IN_IPV6_PREFIXES.find(({ prefix }) => prefix.every((byte, at) => bytes[at] === byte))
  // `::` and `::1` are in the range of IPv4-compatible addresses but embed none.
  if (!hides || ['unspecified', 'loopback'].includes(parsed.range())) return parsed
  return new ipaddr.IPv4(bytes.slice(hides.at, hides.at + 4))
}

const zeroBytes = (count: number): number[] => new Array<number>(count).fill(0)
const IPV4_IN_IPV6_PREFIXES = [
  { prefix: [...zeroBytes(10), 0xff, 0xff], at: 12 },
  { prefix: zeroBytes(12), at: 12 },
  { prefix: [0x00, 0x64, 0xff, 0x9b, ...zeroBytes(8)], at: 12 },
  { prefix: [0x20, 0x02], at: 2 },
]

/** The console's listening addresses, once it listens. */
export const listOwnAddresses = (app: FastifyInstance, host: string): string[] =>
  app
    .addresses()
    .flatMap((at) => (typeof at === 'string' ? [] : [`${host.includes(':') ? `[${host}]` : host}:${at.port}`]))

export const toServiceAddress = (url: URL): string => `${url.hostname}:${getPort(url)}`

export function toDatabaseAddress(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname || 'localhost'}:${port || '5432'}`
}
