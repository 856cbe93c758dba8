import type { Pool } from 'pg'

/** What each table holds, by its name: how many rows, and a sum of them whatever their order. */
export type TableChecksums = Record<string, string>

/** The exit code of a process that opened a database and could not read a table. */
export const EXIT_READ_FAILED = 65

/** Of every table that is Loupe's, in all schemas. */
export async function readTables(pool: Pool): Promise<TableChecksums> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  )
  const sums: TableChecksums = {}
  for (const { name } of rows) {
    const read = await pool.query<{ sum: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(line, '' ORDER BY line)), '') AS sum
       FROM (SELECT md5(row::text) AS line FROM ${name} AS row) AS lines`,
    )
    sums[name] = read.rows[0]?.sum ?? ''
  }
  return sums
}
