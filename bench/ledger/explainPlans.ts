import type { Database } from '../../server/db/database.ts'

/** Tables that grow with use. */
const LARGE_TABLES = '(calls|frames|resources)'
const READS_LARGE_TABLE = new RegExp(`\\b(FROM|JOIN|DELETE FROM) ${LARGE_TABLES}\\b`)
const SEQUENTIAL_SCAN = new RegExp(`Seq Scan on ${LARGE_TABLES}\\b`)

type Query = (sql: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
type OnStatement = (sql: string, values: unknown[] | undefined, query: Query) => unknown

/** The database; calls `onStatement` before each statement of its pool and its transactions. */
export function listenToStatements(database: Database, onStatement: OnStatement): Database {
  const listen = <Target extends object>(target: Target): Target => {
    const query = (Reflect.get(target, 'query') as Query).bind(target)
    const heard: Query = async (sql, values) => {
      await onStatement(sql, values, query)
      return query(sql, values)
    }
    return new Proxy(target, {
      get: (real, name) => {
        if (name === 'query') return heard
        const value: unknown = Reflect.get(real, name)
        return typeof value === 'function' ? (value.bind(real) as unknown) : value
      },
    })
  }
  return {
    ...database,
    pool: listen(database.pool),
    transaction: (work) => database.transaction((client) => work(listen(client))),
  }
}

/** The database; records the plan of each statement over calls, frames or resources before executing it. */
export function withRecordedPlans(database: Database): { heard: Database; plans: string[] } {
  const plans: string[] = []
  const heard = listenToStatements(database, async (sql, values, query) => {
    if (typeof sql !== 'string' || !READS_LARGE_TABLE.test(sql) || !/^\s*(SELECT|WITH|DELETE|UPDATE)/.test(sql)) return
    const { rows } = (await query(`EXPLAIN ${sql}`, values)) as { rows: { 'QUERY PLAN': string }[] }
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  })
  return { heard, plans }
}

/** The plans with a sequential scan of a growing table. */
export const findSequentialScans = (plans: readonly string[]): string[] =>
  plans.filter((plan) => SEQUENTIAL_SCAN.test(plan))
