import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { type Env, isLoopback } from '../env.ts'

/** Where people find the console, and which addresses in front of it are believed. */
export interface Place {
  /** Scheme, host and port of `PUBLIC_URL`; null without one. */
  origin: string | null
  /** Whether people come over TLS, whoever ends it. */
  isSecure: boolean
  /** Names that a request may ask for; null: any. */
  hosts: ReadonlySet<string> | null
  /** Whether an address is one of `TRUSTED_PROXY`. */
  isProxy: (address: string | undefined) => boolean
}

const HERE = ['127.0.0.1', 'localhost', '[::1]']

export function placeOf({
  HOST,
  PUBLIC_URL,
  TRUSTED_PROXY,
}: Pick<Env, 'HOST' | 'PUBLIC_URL' | 'TRUSTED_PROXY'>): Place {
  const url = PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL)
  const own = isLoopback(HOST) ? [HOST] : []
  return {
    origin: url?.origin ?? null,
    isSecure: url?.protocol === 'https:',
    hosts: url || own.length > 0 ? new Set([...HERE, ...own, ...(url ? [url.hostname] : [])]) : null,
    isProxy: within(TRUSTED_PROXY),
  }
}

/** @param networks addresses and networks that `isNetworks` lets pass */
function within(networks: string): (address: string | undefined) => boolean {
  const ranges = partsOf(networks).map((part) => ipaddr.parseCIDR(part.includes('/') ? part : whole(part)))
  return (address) => {
    if (address === undefined || !ipaddr.isValid(address)) return false
    const one = ipaddr.process(address)
    return ranges.some(([range, bits]) => range.kind() === one.kind() && one.match(range, bits))
  }
}

const whole = (address: string): string => `${address}/${ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128}`

const partsOf = (networks: string): string[] =>
  networks
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** What a request with these headers says of `name`, once and spelled just so; null for none or several. */
export function only(request: IncomingMessage, name: string): string | null {
  const given = request.headersDistinct[name] ?? []
  return given.length === 1 ? (given[0] ?? null) : null
}
