import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** What a server reports: it takes requests, only finishes what it has begun, or is about to exit. */
export const REPORTED_SERVER_STATES = ['ready', 'draining', 'stopping'] as const
export type ReportedServerState = (typeof REPORTED_SERVER_STATES)[number]

/** `not_responding`: its last heartbeat is older than its lease, and the others take over its runs. */
export const SERVER_STATES = [...REPORTED_SERVER_STATES, 'not_responding'] as const
export type ServerStateName = (typeof SERVER_STATES)[number]

/** A server of this console. A release that does not describe itself has null for version, host, address and start. */
export const Server = z.object({
  id: z.string(),
  is_this: z.boolean(),
  state: z.enum(SERVER_STATES),
  version: z.string().nullable(),
  hostname: z.string().nullable(),
  /** Where it listens, for example `127.0.0.1:8787`. */
  address: z.string().nullable(),
  started_at: z.string().nullable(),
  /** Milliseconds since its last heartbeat. */
  heartbeat_age_ms: z.number(),
  active_runs: z.number(),
  open_streams: z.number(),
  /** The 99th percentile of the delay of its event loop in the last minute. */
  event_loop_delay_ms: z.number(),
})
export type Server = z.output<typeof Server>

/**
 * A setting that should be the same on all servers, and the ids of the servers for each value. The values stay
 * secret.
 */
export const SettingDifference = z.object({ name: z.string(), groups: z.array(z.array(z.string())) })
export type SettingDifference = z.output<typeof SettingDifference>

export const ServerList = z.object({
  database: z.enum(['embedded', 'postgresql']),
  /** This server first, then by start. */
  data: z.array(Server),
  setting_differences: z.array(SettingDifference),
})
export type ServerList = z.output<typeof ServerList>

export const serverEndpoints = {
  listServers: endpoint({
    method: 'GET',
    path: '/api/servers',
    key: 'none',
    permission: 'manage',
    reply: ServerList,
    tags: ['servers'],
  }),
}
