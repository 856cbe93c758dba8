import { integer, json, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import type { DailyRunAggregate } from './runAggregate.ts'

const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3 }).notNull()

/** What the runs of a finished day amount to. A day is two moments, so that zones of the same offset share it. */
export const dailyRollups = pgTable(
  'daily_rollups',
  {
    begins: timestampColumn('begins'),
    ends: timestampColumn('ends'),
    groups: json().$type<DailyRunAggregate[]>().notNull(),
    measures_version: integer().notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.begins, table.ends] })],
)
