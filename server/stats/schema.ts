import { integer, json, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import type { DailyRunAggregate } from './runAggregate.ts'

const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3 }).notNull()

/** The aggregated runs of a finished day. A day is stored as two timestamps, so that zones with the same offset share it. */
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
