import type { Pool, PoolClient } from 'pg'

type IsoRow<Row> = {
  [Name in keyof Row]: Date extends Row[Name] ? Exclude<Row[Name], Date> | string : Row[Name]
}

/** A row as the API has it: its times as ISO 8601. */
export const toIsoRow = <Row extends object>(row: Row): IsoRow<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as IsoRow<Row>

/** The rows of a statement that names its columns as the reply does, in the reply's order. */
export async function queryReplies<Reply extends object>(
  client: Pool | PoolClient,
  sql: string,
  values: unknown[] = [],
): Promise<Reply[]> {
  const { rows } = await client.query<Reply>(sql, values)
  return rows.map((row) => toIsoRow(row) as Reply)
}
