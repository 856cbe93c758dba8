import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REVIEWED_MIGRATIONS, SHIPPED_MIGRATIONS } from '../server/db/schemaMigrations.ts'
import { findBreakingStatements } from './migrationStatements.ts'
import { readSources } from './sources/sourceFiles.ts'

describe('statements of a migration', () => {
  it.each([
    'ALTER TABLE "runs" RENAME COLUMN "words" TO "text"',
    'ALTER TABLE "runs" DROP COLUMN "words"',
    'ALTER TABLE "runs" ALTER COLUMN "words" SET DATA TYPE integer',
    'ALTER TABLE "runs" ALTER COLUMN "words" SET NOT NULL',
    'ALTER TABLE "runs" ADD COLUMN "words" text NOT NULL',
    'ALTER TABLE "runs" ADD CONSTRAINT "one" UNIQUE("words")',
    'CREATE UNIQUE INDEX "one" ON "runs" USING btree ("words")',
    'CREATE TRIGGER one AFTER INSERT ON "runs" EXECUTE FUNCTION count_runs()',
    'DROP TABLE "runs"',
    'UPDATE runs SET words = upper(words)',
    'DELETE FROM runs',
    'DO $$ BEGIN DELETE FROM runs; END $$',
  ])('that an earlier release may not bear are found: %s', (statement) => {
    const additive = 'CREATE TABLE "others" ("id" uuid)'
    expect(findBreakingStatements(`${additive};--> statement-breakpoint\n${statement};`)).toHaveLength(1)
  })

  it('that add something are none of them', () => {
    const sql = `-- A comment; with a semicolon, and DROP TABLE runs
      ALTER TABLE "runs" ADD COLUMN "words" text;--> statement-breakpoint
      ALTER TABLE "runs" ADD COLUMN "count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
      CREATE INDEX "runs_by_words" ON "runs" USING btree ("words");--> statement-breakpoint
      CREATE TABLE "others" ("id" uuid);--> statement-breakpoint
      ALTER TABLE "others" ADD CONSTRAINT "one" UNIQUE("id");--> statement-breakpoint
      CREATE UNIQUE INDEX "two" ON "others" USING btree ("id");--> statement-breakpoint
      CREATE FUNCTION count_others() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM runs; END $$;--> statement-breakpoint
      CREATE TRIGGER three AFTER INSERT ON "others" EXECUTE FUNCTION count_others();--> statement-breakpoint
      INSERT INTO "others" SELECT id FROM runs;`
    expect(findBreakingStatements(sql)).toEqual([])
  })
})

it('every migration that may break a server of an earlier release is judged in REVIEWED_MIGRATIONS, and no other', () => {
  const names = readdirSync(SHIPPED_MIGRATIONS.folder).filter((name) => name.endsWith('.sql'))
  expect(names.length).toBeGreaterThan(15)
  const found = names
    .filter((name) => findBreakingStatements(readFileSync(join(SHIPPED_MIGRATIONS.folder, name), 'utf8')).length > 0)
    .map((name) => name.replace('.sql', ''))
  expect(found.sort()).toEqual(Object.keys(REVIEWED_MIGRATIONS).sort())
})

/** Where else a schema is changed: under an advisory lock, in a file of its own, or of an index that depends on a model. */
const OTHER_SCHEMA_CHANGES = {
  'server/db/schemaMigrations.ts': 2,
  'server/db/embedded/folderGuard.ts': 1,
  'server/platform/retrieval/vectorSearch.ts': 1,
}

it('a server changes the schema in migrations alone, so that servers that start together do not meet', () => {
  const changes = new Map<string, number>()
  for (const { path, text } of readSources())
    if (/^server\/.*(?<!\.(test|testing|fixture))\.ts$/.test(path)) {
      const found = text.match(
        /\b(CREATE|ALTER|DROP)\s+(OR\s+REPLACE\s+)?(UNIQUE\s+)?(TABLE|INDEX|FUNCTION|TRIGGER|EXTENSION|TYPE|SCHEMA|SEQUENCE|VIEW)\b/g,
      )
      if (found) changes.set(path, found.length)
    }
  expect(Object.fromEntries(changes)).toEqual(OTHER_SCHEMA_CHANGES)
})
