import { json, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import type { Group } from './group.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 }).notNull()

/** What the runs of a finished day amount to. A day is two moments, so that zones of the same offset share it. */
export const day_sums = pgTable(
  'day_sums',
  { begins: moment('begins'), ends: moment('ends'), groups: json().$type<Group[]>().notNull() },
  (table) => [primaryKey({ columns: [table.begins, table.ends] })],
)
