import type { Database } from '../server/database/database.ts'

/** Tables that grow with use. */
const LARGE = '(calls|frames|things)'
const READS = new RegExp(`\\b(FROM|JOIN|DELETE FROM) ${LARGE}\\b`)
const WHOLE = new RegExp(`Seq Scan on ${LARGE}\\b`)

type Query = (sql: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** The database, with the plan of each statement over calls, frames or things written down before it is carried out. */
export function explained(database: Database): { heard: Database; plans: string[] } {
  const plans: string[] = []
  const listening = <Asked extends object>(asked: Asked): Asked => {
    const query = (Reflect.get(asked, 'query') as Query).bind(asked)
    const told: Query = async (sql, values) => {
      if (typeof sql === 'string' && READS.test(sql) && /^\s*(SELECT|WITH|DELETE|UPDATE)/.test(sql)) {
        const { rows } = (await query(`EXPLAIN ${sql}`, values)) as { rows: { 'QUERY PLAN': string }[] }
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      }
      return query(sql, values)
    }
    return new Proxy(asked, {
      get: (real, name) => {
        if (name === 'query') return told
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

/** Those plans that read a table which grows from end to end. */
export const sequential = (plans: readonly string[]): string[] => plans.filter((plan) => WHOLE.test(plan))
