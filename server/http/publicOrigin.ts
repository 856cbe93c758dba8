import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import ipaddr from 'ipaddr.js'
import { type Env, isLoopback } from '../env.ts'

/** The console's public URL, and the trusted proxies in front of it. */
export interface PublicOrigin {
  /** Scheme, host and port of `PUBLIC_URL`; null without one. */
  origin: string | null
  /** Whether browsers use TLS, whether this server or a proxy terminates it. */
  isSecure: boolean
  /** Whether a request may use this host, spelled as in its `Host` header without the port. */
  isAllowedHost: (host: string) => boolean
  /** Whether an address is one of `TRUSTED_PROXY`. */
  isTrustedProxy: (address: string | undefined) => boolean
}

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]']

export function resolvePublicOrigin({
  HOST,
  PUBLIC_URL,
  TRUSTED_PROXY,
}: Pick<Env, 'HOST' | 'PUBLIC_URL' | 'TRUSTED_PROXY'>): PublicOrigin {
  const url = PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL)
  const hosts = new Set([...LOOPBACK_HOSTS, HOST, url?.hostname ?? hostname().toLowerCase()])
  // DNS rebinding can point another page's name here, but not an IP address. With a public name, only that name is allowed.
  const allowsIpHosts = url === null && !isLoopback(HOST)
  return {
    origin: url?.origin ?? null,
    isSecure: url?.protocol === 'https:',
    isAllowedHost: (host) => hosts.has(host) || (allowsIpHosts && ipaddr.isValid(host.replace(/^\[|\]$/g, ''))),
    isTrustedProxy: toNetworkMatcher(TRUSTED_PROXY),
  }
}

/** @param networks addresses and networks that `splitNetworks` accepts */
function toNetworkMatcher(networks: string): (address: string | undefined) => boolean {
  const ranges = splitNetworks(networks).map((part) => ipaddr.parseCIDR(part.includes('/') ? part : toHostCidr(part)))
  return (address) => {
    if (address === undefined || !ipaddr.isValid(address)) return false
    const one = ipaddr.process(address)
    return ranges.some(([range, bits]) => range.kind() === one.kind() && one.match(range, bits))
  }
}

const toHostCidr = (address: string): string => `${address}/${ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128}`

const splitNetworks = (networks: string): string[] =>
  networks
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The value of the header `name`, which must occur once and with that exact spelling; null otherwise. */
export function getSingleHeader(request: IncomingMessage, name: string): string | null {
  const given = request.headersDistinct[name] ?? []
  return given.length === 1 ? (given[0] ?? null) : null
}
