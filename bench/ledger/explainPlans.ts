import type { Database } from '../../server/db/database.ts'

/** Tables that grow with use. */
const LARGE_TABLES = '(calls|frames|resources)'
const READS_LARGE_TABLE = new RegExp(`\\b(FROM|JOIN|DELETE FROM) ${LARGE_TABLES}\\b`)
const SEQUENTIAL_SCAN = new RegExp(`Seq Scan on ${LARGE_TABLES}\\b`)

type Query = (sql: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** The database; records the plan of each statement over calls, frames or resources before executing it. */
export function withRecordedPlans(database: Database): { heard: Database; plans: string[] } {
  const plans: string[] = []
  const listening = <Asked extends object>(statement: Asked): Asked => {
    const query = (Reflect.get(statement, 'query') as Query).bind(statement)
    const answered: Query = async (sql, values) => {
      if (typeof sql === 'string' && READS_LARGE_TABLE.test(sql) && /^\s*(SELECT|WITH|DELETE|UPDATE)/.test(sql)) {
        const { rows } = (await query(`EXPLAIN ${sql}`, values)) as { rows: { 'QUERY PLAN': string }[] }
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      }
      return query(sql, values)
    }
    return new Proxy(statement, {
      get: (real, name) => {
        if (name === 'query') return answered
        const value: unknown = Reflect.get(real, name)
        return typeof value === 'function' ? (value.bind(real) as unknown) : value
      },
    })
  }
  const heard: Database = {
    ...database,
    pool: listening(database.pool),
    transaction: (work) => database.transaction((client) => work(listening(client))),
  }
  return { heard, plans }
}

/** The plans with a sequential scan of a growing table. */
export const findSequentialScans = (plans: readonly string[]): string[] =>
  plans.filter((plan) => SEQUENTIAL_SCAN.test(plan))
