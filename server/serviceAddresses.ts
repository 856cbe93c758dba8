import type { FastifyInstance } from 'fastify'
import { getPort } from './vault/egressPolicy.ts'

/** The console's listening address, once it listens. */
export const listOwnAddresses = (app: FastifyInstance, host: string): string[] =>
  app
    .addresses()
    .flatMap((at) => (typeof at === 'string' ? [] : [`${host.includes(':') ? `[${host}]` : host}:${at.port}`]))

/** A service in the notation of the egress policy. */
export const toServiceAddress = (url: URL): string => `${url.hostname}:${getPort(url)}`

/** A database in the notation of the egress policy. */
export function toDatabaseAddress(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname || 'localhost'}:${port || '5432'}`
}
