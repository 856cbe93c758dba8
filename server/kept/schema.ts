import { index, json, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** What people keep beside what the platform has: sets of questions and inputs, boards, marks. */
export const kept = pgTable(
  'kept',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    workspace_id: uuid().notNull(),
    about: text(),
    name: text().notNull(),
    value: json(),
    person_id: uuid(),
    created_at: moment('created_at').notNull(),
    updated_at: moment('updated_at').notNull(),
  },
  (table) => [index('kept_by_place').on(table.workspace_id, table.kind, table.about, table.created_at.desc())],
)
