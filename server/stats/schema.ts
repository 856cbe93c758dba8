import { integer, json, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../db/columns.ts'
import type { DailyRunAggregate } from './runAggregate.ts'

/** The aggregated runs of a finished day. A day is stored as two timestamps, so that zones with the same offset share it. */
export const dailyRollups = pgTable(
  'daily_rollups',
  {
    begins: timestampColumn('begins').notNull(),
    ends: timestampColumn('ends').notNull(),
    groups: json().$type<DailyRunAggregate[]>().notNull(),
    measures_version: integer().notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.begins, table.ends] })],
)
