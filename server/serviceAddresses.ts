import type { FastifyInstance } from 'fastify'
import { getPort } from './vault/egressPolicy.ts'

/** Where the console listens, once it does. */
export const listOwnAddresses = (app: FastifyInstance, host: string): string[] =>
  app
    .addresses()
    .flatMap((at) => (typeof at === 'string' ? [] : [`${host.includes(':') ? `[${host}]` : host}:${at.port}`]))

/** A service as the egress policy names it. */
export const toServiceAddress = (url: URL): string => `${url.hostname}:${getPort(url)}`

/** A database as the egress policy names it. */
export function toDatabaseAddress(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname || 'localhost'}:${port || '5432'}`
}
