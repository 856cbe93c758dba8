/** Statements after which servers of an earlier release work as before. */
const ADDITIVE_STATEMENTS = [
  /^CREATE (TABLE|SCHEMA|EXTENSION|SEQUENCE|FUNCTION) /,
  /^CREATE INDEX /,
  /^DROP INDEX /,
  /^ALTER TABLE \S+ ADD COLUMN (?!.*NOT NULL)/,
  /^ALTER TABLE \S+ ADD COLUMN .*\bDEFAULT\b/,
  /^ALTER TABLE \S+ SET \(/,
]
/** The table of a statement that is additive if the same migration has created that table. */
const STATEMENTS_OF_A_TABLE = [
  /^ALTER TABLE (?:ONLY )?(\S+) ADD (?:CONSTRAINT|COLUMN) /,
  /^CREATE UNIQUE INDEX .*? ON (\S+) /,
  /^CREATE TRIGGER .*? ON (\S+) /,
  /^INSERT INTO (\S+) /,
  /^UPDATE (\S+) /,
]

/**
 * The statements of a migration that may break a server of an earlier release that works on the same database, or that
 * nobody has judged: what is renamed, dropped, narrowed or rewritten under it.
 */
export function findBreakingStatements(sql: string): string[] {
  const statements = sql
    .replaceAll('--> statement-breakpoint', ';')
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, '$body$')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
  const newTables = new Set(statements.flatMap((statement) => /^CREATE TABLE (\S+)/.exec(statement)?.[1] ?? []))
  const isAdditive = (statement: string) =>
    ADDITIVE_STATEMENTS.some((pattern) => pattern.test(statement)) ||
    STATEMENTS_OF_A_TABLE.some((pattern) => newTables.has(pattern.exec(statement)?.[1] ?? ''))
  return statements.filter((statement) => !isAdditive(statement))
}
