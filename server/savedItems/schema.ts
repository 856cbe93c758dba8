import { index, json, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../db/columns.ts'

/** Saved items: question sets, inputs, boards, marks. The platform does not store them. */
export const savedItems = pgTable(
  'saved_items',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    workspace_id: uuid().notNull(),
    about: text(),
    name: text().notNull(),
    value: json(),
    person_id: uuid(),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('saved_items_by_resource').on(table.workspace_id, table.kind, table.about, table.created_at.desc()),
  ],
)
