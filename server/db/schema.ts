import { bigint, boolean, pgTable, text } from 'drizzle-orm/pg-core'

/**
 * The migrations of this database, so that an older release knows of a newer one whether it can work with its schema.
 * `created_at` is the time in the journal, by which Drizzle knows a migration.
 */
export const appliedMigrations = pgTable('applied_migrations', {
  created_at: bigint({ mode: 'number' }).primaryKey(),
  name: text().notNull(),
  /** Servers of a release before it cannot work with the schema. */
  is_exclusive: boolean().notNull(),
})
