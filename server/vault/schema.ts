import { boolean, index, integer, json, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { people } from '../auth/schema.ts'

const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A platform: one base URL with its keys. */
export const workspaces = pgTable('workspaces', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  base_url: text().notNull(),
  builtin: boolean().notNull().default(false),
  /** How the platform is spoken to: what a person chose, and what was found (`version`, and points of the dialect). */
  chosen: jsonb().notNull().default({}),
  found: jsonb().notNull().default({}),
  created_at: timestampColumn('created_at').notNull(),
})

/** `sealed` is an envelope (`seal.ts`) around the key, bound to the key's id and the workspace's origin; nothing gives the value back. */
export const keys = pgTable(
  'keys',
  {
    id: uuid().primaryKey(),
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    label: text().notNull(),
    hint: text(),
    sealed: text(),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
    last_ok_at: timestampColumn('last_ok_at'),
    last_problem: json(),
    last_problem_at: timestampColumn('last_problem_at'),
    latency_ms: integer(),
    /** When a platform's answer last held this key; null once it is replaced. */
    exposed_at: timestampColumn('exposed_at'),
    /** Which adjacent entries the platform was seen to answer (true) or not to have (false). */
    capabilities: jsonb().notNull().default({}),
  },
  (table) => [index('keys_by_workspace').on(table.workspace_id)],
)

/** What a narrowed person sees: a whole workspace, or one key of it. */
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
