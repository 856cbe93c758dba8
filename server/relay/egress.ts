import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ProblemError } from '#contract/problem.ts'

/**
 * Where a request may go. Addresses of cloud metadata, link-local, unspecified, multicast and reserved ranges are never
 * reached. Loopback and private ones are allowed while the console itself listens on the loopback only (most people run
 * the platform beside it) and where EGRESS_ALLOW names them. Checked when a base URL is saved, before each dispatch
 * (undici asks no lookup for an IP literal) and again on every address that a name resolves to.
 */
export interface Egress {
  /** @throws ProblemError naming what is wrong with the URL. */
  check: (url: URL) => void
  /** For `connect.lookup`: refuses a name when any of its addresses is refused. */
  lookup: LookupFunction
}

const NEVER = new Set(['linkLocal', 'unspecified', 'broadcast', 'multicast', 'reserved'])
const PRIVATE = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])
const METADATA = new Set(['169.254.169.254', '100.100.100.200', 'fd00:ec2::254'])
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data'])

export function egress({ loopbackOnly, allow }: { loopbackOnly: boolean; allow: string }): Egress {
  const allowed = new Set(
    allow
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  const mayReach = (address: string, port: string): boolean => {
    const range = rangeOf(address)
    if (range === null || METADATA.has(address) || NEVER.has(range)) return false
    return !PRIVATE.has(range) || loopbackOnly || allowed.has(`${address}:${port}`) || allowed.has(address)
  }

  return {
    check(url) {
      const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
      if (METADATA_NAMES.has(host.toLowerCase())) throw refuse(host)
      const port = url.port || (url.protocol === 'https:' ? '443' : '80')
      if (ipaddr.isValid(host) && !mayReach(host, port)) throw refuse(host)
    },
    lookup(hostname, options, callback) {
      dnsLookup(hostname, { ...options, all: true }, (error, found) => {
        const addresses = found as LookupAddress[] | undefined
        if (error || !addresses?.length) return callback(error ?? new Error('no address'), [])
        const refused = addresses.find(({ address }) => !mayReach(address, ''))
        if (refused) return callback(refuse(hostname), [])
        if (options.all) return callback(null, addresses)
        const first = addresses[0] as LookupAddress
        callback(null, first.address, first.family)
      })
    },
  }
}

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

/** The range of an address, an IPv6 address that hides an IPv4 one judged by the inner one; null when it is none. */
function rangeOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv6') {
    const six = parsed as ipaddr.IPv6
    if (six.isIPv4MappedAddress()) return six.toIPv4Address().range()
    if (['rfc6145', 'rfc6052', '6to4', 'teredo'].includes(six.range())) return 'reserved'
  }
  return parsed.range()
}

const refuse = (host: string) =>
  new ProblemError({ kind: 'denied', status: 403, message: `The console does not send requests to ${host}.` })
