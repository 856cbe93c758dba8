import { integer, json, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../db/columns.ts'

/**
 * The servers that share this database, as described in their heartbeats. One that is silent for a while is dead, and
 * the others take over its runs. `version` is null for a release without a description.
 */
export const servers = pgTable('servers', {
  id: uuid().primaryKey(),
  seen_at: timestampColumn('seen_at').notNull(),
  /** Since when heartbeats have been uninterrupted; null from an earlier release. */
  steady_since: timestampColumn('steady_since'),
  /** `ready`, `draining` or `stopping`. */
  state: text().notNull().default('ready'),
  started_at: timestampColumn('started_at').notNull().defaultNow(),
  version: text(),
  hostname: text(),
  /** Null before it listens. */
  address: text(),
  active_runs: integer().notNull().default(0),
  open_streams: integer().notNull().default(0),
  event_loop_delay_ms: integer().notNull().default(0),
  /** Fingerprints of its master keys, the current one first. */
  master_keys: text().array().notNull().default([]),
  /** Fingerprints of its settings, by each master key. */
  settings: json(),
})
