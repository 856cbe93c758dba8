import { sql } from 'drizzle-orm'
import { doublePrecision, index, integer, json, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A batch of rows. `kind` determines how a row is validated and sent; `settings` apply to all rows. */
export const batches = pgTable(
  'batches',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    state: text().notNull(),
    /** Why it is paused or waits, and the error message. */
    pause: text(),
    problem: json(),
    waits_until: timestampColumn('waits_until'),
    workspace_id: uuid().notNull(),
    /** Null where each row has its own, or none: a row need not be a call. */
    key_id: uuid(),
    entry: text(),
    name: text().notNull(),
    settings: json().notNull(),
    at_once: integer().notNull(),
    per_minute: integer(),
    max_rows: integer(),
    max_tokens: integer(),
    /** In each currency. */
    max_price: doublePrecision(),
    /** Of a dry run: it pauses after this many sent rows. */
    stop_at: integer(),
    total: integer().notNull(),
    /** The file of its rows: its name, its rows and the columns in their order; null where there was none. */
    source: json(),
    person_id: uuid(),
    /** The person who started it last; null where nobody has, or where an earlier release did not record it. */
    started_by: uuid(),
    /** The server that works on it: no other server sends its rows while that one is alive. */
    server_id: uuid(),
    created_at: timestampColumn('created_at').notNull(),
    began_at: timestampColumn('began_at'),
    ended_at: timestampColumn('ended_at'),
  },
  (table) => [
    index('batches_by_workspace').on(table.workspace_id, table.created_at.desc()),
    index('batches_by_state').on(table.state),
    index('batches_by_suite')
      .on(sql`(settings ->> 'suite')`)
      .where(sql`kind = 'sweep'`),
  ],
)

/**
 * One row and its outcome. `run_id` is stored before anything is sent, so that after a crash the ledger shows whether it was
 * sent: without a call of that id it was not.
 */
export const batchRows = pgTable(
  'batch_rows',
  {
    batch_id: uuid()
      .notNull()
      .references(() => batches.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    /** The key of this row alone; null for that of the batch. */
    key_id: uuid(),
    /** The group of the row: of a board the id of its cell. */
    cell: text(),
    state: text().notNull(),
    input: json().notNull(),
    /** Its number in the source file, if rows of that were skipped; null where it is the same. */
    file_row: integer(),
    /** Its title in lists: the beginning of its inputs. */
    title: text().notNull().default(''),
    run_id: uuid(),
    /** The ended runs of its earlier turns, in order, and their conversation: of a chat with several turns. */
    turn_run_ids: uuid().array().notNull().default([]),
    conversation_id: text(),
    /** The run of the previous attempt. */
    parent_id: uuid(),
    attempts: integer().notNull().default(0),
    problem: json(),
    /** The result, in the kind's own format. */
    result: json(),
    began_at: timestampColumn('began_at'),
    duration_ms: integer(),
    tokens: integer(),
    price: text(),
    currency: text(),
  },
  (table) => [
    primaryKey({ columns: [table.batch_id, table.number] }),
    index('batch_rows_by_state').on(table.batch_id, table.state, table.number),
    index('batch_rows_by_key')
      .on(table.batch_id, table.key_id)
      .where(sql`key_id IS NOT NULL`),
  ],
)
