import type { FastifyInstance } from 'fastify'
import { portOf } from './relay/egress.ts'

/** Where the console listens, once it does. */
export const listening = (app: FastifyInstance, host: string): string[] =>
  app
    .addresses()
    .flatMap((at) => (typeof at === 'string' ? [] : [`${host.includes(':') ? `[${host}]` : host}:${at.port}`]))

/** A service as the egress policy names it. */
export const serviceAt = (url: URL): string => `${url.hostname}:${portOf(url)}`

/** A database as the egress policy names it. */
export function databaseAt(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname || 'localhost'}:${port || '5432'}`
}
