import { bigint, boolean, pgTable, text } from 'drizzle-orm/pg-core'

/**
 * The applied migrations, from which an older release learns whether it can work with a newer schema. `created_at` is
 * the time in the journal, by which Drizzle identifies a migration.
 */
export const appliedMigrations = pgTable('applied_migrations', {
  created_at: bigint({ mode: 'number' }).primaryKey(),
  name: text().notNull(),
  /** Servers of an earlier release cannot work with the schema. */
  is_exclusive: boolean().notNull(),
})
