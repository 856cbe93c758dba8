import { boolean, index, integer, json, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../db/columns.ts'
import { people } from '../auth/schema.ts'
import type { Dialect } from '#contract/console/dialect.ts'
import type { Capability, KeyHealthState } from '#contract/console/workspaces.ts'
import type { KeyKind } from '#contract/endpoint.ts'
import type { Problem } from '#contract/problem.ts'

export const workspaces = pgTable('workspaces', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  base_url: text().notNull(),
  builtin: boolean().notNull().default(false),
  /** The platform's API dialect: chosen by a person, and detected (`version`, and details of the dialect). */
  chosen: jsonb().notNull().default({}).$type<Dialect>(),
  found: jsonb().notNull().default({}).$type<Dialect & { version?: string }>(),
  created_at: timestampColumn('created_at').notNull(),
})

/**
 * `sealed` is an envelope (`keyEnvelope.ts`) around the key, bound to the key's id and the workspace's origin. No API
 * returns the value.
 */
export const keys = pgTable(
  'keys',
  {
    id: uuid().primaryKey(),
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    kind: text().notNull().$type<KeyKind>(),
    label: text().notNull(),
    hint: text(),
    sealed: text(),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
    /**
     * The mode that the platform reports for the app; and whether a reply has proved `kind`, which a person may
     * choose.
     */
    mode: text(),
    kind_confirmed: boolean().notNull().default(false),
    /** One of `KEY_HEALTH_STATES`, and since when. */
    health: text().notNull().default('untested').$type<KeyHealthState>(),
    health_since: timestampColumn('health_since'),
    last_ok_at: timestampColumn('last_ok_at'),
    last_problem: json().$type<Problem>(),
    last_problem_at: timestampColumn('last_problem_at'),
    latency_ms: integer(),
    /** When a platform's reply last contained this key; null once it is replaced. */
    exposed_at: timestampColumn('exposed_at'),
    /** The operations with a known state, by name: `Capability` of the contract. */
    capabilities: jsonb().notNull().default({}).$type<Record<string, Capability>>(),
  },
  (table) => [index('keys_by_workspace').on(table.workspace_id)],
)

/** A grant of a narrowed person: a workspace, or one of its keys. */
export const grants = pgTable(
  'grants',
  {
    id: uuid().primaryKey(),
    person_id: uuid()
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    key_id: uuid().references(() => keys.id, { onDelete: 'cascade' }),
  },
  (table) => [index('grants_by_person').on(table.person_id)],
)
