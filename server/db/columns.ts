import { customType, timestamp } from 'drizzle-orm/pg-core'

/** Columns of every schema. */
export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
