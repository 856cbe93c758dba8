/** Joins conditions with AND, without those whose value is missing. `?` stands for the value. */
export function toWhereClause(conditions: [sql: string, value: unknown][]): { clause: string; values: unknown[] } {
  const given = conditions.filter(([, value]) => value !== undefined && value !== '')
  const clause = given.map(([sql], index) => sql.replaceAll('?', `$${index + 1}`)).join(' AND ')
  return { clause: clause ? `WHERE ${clause}` : 'WHERE true', values: given.map(([, value]) => value) }
}

/** A LIKE pattern that finds the literal text anywhere. */
export const toContainsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Words of our own, never input, as the list of an `IN`. */
export const toSqlList = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ')
