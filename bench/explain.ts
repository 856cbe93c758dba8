import type { Database } from '../server/database/database.ts'

/** The database, with the plan of each statement over calls or frames written down before it is carried out. */
export function explained(database: Database): { heard: Database; plans: string[] } {
  const plans: string[] = []
  const heard: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((client) => {
        const query = client.query.bind(client) as (sql: string, values?: unknown[]) => Promise<unknown>
        const told = async (sql: string, values?: unknown[]) => {
          if (/FROM (calls|frames)\b/.test(sql)) {
            const { rows } = (await query(`EXPLAIN ${sql}`, values)) as { rows: { 'QUERY PLAN': string }[] }
            plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
          }
          return query(sql, values)
        }
        return work(new Proxy(client, { get: (real, name) => (name === 'query' ? told : Reflect.get(real, name)) }))
      }),
  }
  return { heard, plans }
}
