import { bigint, index, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../db/columns.ts'
import { workspaces } from '../vault/schema.ts'

/** Platform behavior that the contract does not know: one row per drift, with a count. */
export const drifts = pgTable(
  'drifts',
  {
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** Derived from operation, kind, event, path and value. */
    id: text().notNull(),
    operation: text().notNull(),
    kind: text().notNull(),
    event: text(),
    path: text().notNull(),
    value: text(),
    /** The first sample, truncated, without secrets. */
    sample: json(),
    count: bigint({ mode: 'number' }).notNull(),
    /** The call of the first occurrence; null for a plain read. */
    call_id: uuid(),
    first_seen: timestampColumn('first_seen').notNull(),
    last_seen: timestampColumn('last_seen').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.id] }),
    index('drifts_by_operation').on(table.workspace_id, table.operation),
    index('drifts_by_time').on(table.workspace_id, table.last_seen),
  ],
)

/** The observed parts of the contract per operation: paths prefixed with their part (`reply`, an event). */
export const observedParts = pgTable(
  'observed_parts',
  {
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    operation: text().notNull(),
    places: text().array().notNull(),
    first_seen: timestampColumn('first_seen').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace_id, table.operation] })],
)
