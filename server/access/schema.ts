import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

export const people = pgTable('people', {
  id: uuid().primaryKey(),
  name: text().notNull().unique(),
  role: text().notNull(),
  default_user: text().notNull(),
  created_at: moment('created_at').notNull(),
})

/** `token` is the SHA-256 of what the cookie holds: the database has no token that could be used. */
export const sessions = pgTable(
  'sessions',
  {
    token: text().primaryKey(),
    person_id: uuid()
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    created_at: moment('created_at').notNull(),
    seen_at: moment('seen_at').notNull(),
    expires_at: moment('expires_at').notNull(),
  },
  (table) => [index('sessions_by_person').on(table.person_id)],
)

/** One-time sign-in tokens, hashed. */
export const links = pgTable('links', { token: text().primaryKey(), expires_at: moment('expires_at').notNull() })
