import { bigint, index, json, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { workspaces } from '../vault/schema.ts'

const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** What a platform did that the contract does not know: one row for each way, however often it came. */
export const drifts = pgTable(
  'drifts',
  {
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** Made of operation, kind, event, path and value. */
    id: text().notNull(),
    operation: text().notNull(),
    kind: text().notNull(),
    event: text(),
    path: text().notNull(),
    value: text(),
    /** The first that came, cut, without what opens something. */
    sample: json(),
    count: bigint({ mode: 'number' }).notNull(),
    /** The call in which it was first seen; a plain read leaves none. */
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

/** What of the contract was seen of an operation: places by their part of it (`reply`, an event), the part first. */
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
