import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { type MigrationSet, SHIPPED_MIGRATIONS } from '../db/schemaMigrations.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-question-sets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The release before suites. */
function createReleaseBefore(): MigrationSet {
  const migrationFolder = join(folder, 'migrations')
  cpSync(SHIPPED_MIGRATIONS.folder, migrationFolder, { recursive: true })
  const path = join(migrationFolder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { tag: string }[] }
  const first = journal.entries.findIndex(({ tag }) => /^\d+_suites$/.test(tag))
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, first) }))
  return { ...SHIPPED_MIGRATIONS, folder: migrationFolder }
}

const [WORKSPACE, KEY, SET, DATASET] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
const toQuestion = (query: string, segment_id: string | null, rank: number | null, before: number | null) => ({
  query,
  document_id: 'document',
  segment_id,
  label: `label of ${query}`,
  rank,
  before,
})

it('the upgrade makes suites of question sets, with their last two runs, and leaves what it cannot read', async () => {
  const before = await openDatabase({ folder: join(folder, 'data'), migrations: createReleaseBefore() })
  await before.pool.query(
    `INSERT INTO workspaces(id, name, base_url, created_at) VALUES ($1, 'W', 'http://127.0.0.1:1', now())`,
    [WORKSPACE],
  )
  await before.pool.query(
    `INSERT INTO keys(id, workspace_id, kind, label, created_at, updated_at) VALUES ($1, $2, 'knowledge', 'K', now(), now())`,
    [KEY, WORKSPACE],
  )
  const questions = [
    toQuestion('One?', 'segment', 2, 0),
    toQuestion('Two?', null, 0, null),
    toQuestion('Three?', null, null, null),
  ]
  const insert = (id: string, kind: string, value: string, workspace_id = WORKSPACE) =>
    before.pool.query(
      `INSERT INTO saved_items(id, kind, workspace_id, about, name, value, created_at, updated_at) VALUES ($1, $2, $3, $4, 'Terms', $5, now(), now())`,
      [id, kind, workspace_id, DATASET, value],
    )
  await insert(SET, 'question_set', JSON.stringify({ questions }))
  await insert(randomUUID(), 'question_set', JSON.stringify({ questions: [7, { query: '' }, { query: 'x' }] }))
  await insert(randomUUID(), 'question_set', JSON.stringify({ questions: 'none' }))
  await insert(randomUUID(), 'question_set', 'null')
  await insert(randomUUID(), 'question_set', JSON.stringify({ questions }), randomUUID())
  await insert(randomUUID(), 'board', '{}')
  await before.close()

  const { pool, close } = await openDatabase({ folder: join(folder, 'data') })
  const read = async (sql: string) => (await pool.query<Record<string, unknown>>(sql)).rows
  expect(await read(`SELECT name, about, target_kind, revision FROM suites WHERE id = '${SET}'`)).toEqual([
    { name: 'Terms', about: DATASET, target_kind: 'retrieval', revision: 1 },
  ])
  expect(
    await read(`SELECT name, input, expected FROM suite_cases WHERE suite_id = '${SET}' ORDER BY position`),
  ).toEqual([
    {
      name: 'One?',
      input: { query: 'One?' },
      expected: { segments: [{ id: 'segment', document_id: 'document', label: 'label of One?' }] },
    },
    { name: 'Two?', input: { query: 'Two?' }, expected: { documents: [{ id: 'document', label: 'label of Two?' }] } },
    {
      name: 'Three?',
      input: { query: 'Three?' },
      expected: { documents: [{ id: 'document', label: 'label of Three?' }] },
    },
  ])
  expect(
    await read(
      `SELECT batches.state, batches.total, batches.key_id, name, rank, outcome FROM experiments JOIN batches USING (id)
       JOIN experiment_results ON experiment_id = experiments.id ORDER BY experiments.created_at, number`,
    ),
  ).toEqual([
    { state: 'ended', total: 1, key_id: KEY, name: 'Terms', rank: 0, outcome: 'fail' },
    { state: 'ended', total: 2, key_id: KEY, name: 'Terms', rank: 2, outcome: 'pass' },
    { state: 'ended', total: 2, key_id: KEY, name: 'Terms', rank: 0, outcome: 'fail' },
  ])
  expect(await read('SELECT count(*)::int AS count FROM verdicts')).toEqual([{ count: 3 }])
  expect(await read('SELECT count(*)::int AS count FROM batch_rows')).toEqual([{ count: 3 }])
  expect(await read('SELECT count(*)::int AS count FROM suites')).toEqual([{ count: 3 }])
  // What cannot be read, or has no workspace any more, stays where it was.
  expect(await read('SELECT kind, count(*)::int AS count FROM saved_items GROUP BY kind ORDER BY kind')).toEqual([
    { kind: 'board', count: 1 },
    { kind: 'question_set', count: 2 },
  ])
  await close()
})
