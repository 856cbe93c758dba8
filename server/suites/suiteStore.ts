import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { Check, Verdict } from '#contract/console/checks.ts'
import {
  type CaseResult,
  MAX_CASES,
  MAX_SHOWN_EXPERIMENTS,
  type NewCase,
  type Suite,
  type SuiteCase,
} from '#contract/console/suites.ts'
import { ProblemError } from '#contract/problem.ts'
import { toCaseOutcome } from '#domain/experiments/caseChanges.ts'
import { type AccessScope, SCOPE_CONDITIONS, scopeFilter } from '../auth/accessScope.ts'
import type { Database } from '../db/database.ts'
import { toContainsPattern, toWhereClause } from '../db/sqlConditions.ts'
import { insertCaseTexts, toCaseParams } from './caseTexts.ts'
import type { suiteCases, suites } from './schema.ts'

export type SuiteRecord = typeof suites.$inferSelect & {
  person: string | null
  cases: number
  baseline_id: string | null
  last_id: string | null
}

export type CaseRecord = typeof suiteCases.$inferSelect & { person: string | null }

export type CaseChanges = Partial<Pick<SuiteCase, 'name' | 'input' | 'expected' | 'checks' | 'tags' | 'split'>>

/** `$n` is the scope of the experiments: one may run with another key than that of its suite. */
const selectSuite = (n: number) => `SELECT suites.*, people.name AS person,
    (SELECT count(*)::int FROM suite_cases WHERE suite_id = suites.id AND valid_to IS NULL) AS cases,
    (SELECT experiments.id FROM experiments JOIN batches ON batches.id = experiments.id
     WHERE suite_id = suites.id AND is_baseline AND ${scopeFilter('batches', n)} LIMIT 1) AS baseline_id,
    (SELECT experiments.id FROM experiments JOIN batches ON batches.id = experiments.id
     WHERE suite_id = suites.id AND ${scopeFilter('batches', n)} ORDER BY experiments.created_at DESC LIMIT 1) AS last_id
  FROM suites LEFT JOIN people ON people.id = suites.person_id`
const SELECT_CASE =
  'SELECT suite_cases.*, people.name AS person FROM suite_cases LEFT JOIN people ON people.id = suite_cases.person_id'

/** The batches of the suite $1: its experiments, and its sweep over settings. */
const IS_OF_SUITE_SQL = `batches.id IN (SELECT id FROM experiments WHERE suite_id = $1::uuid
  UNION ALL SELECT id FROM batches WHERE kind = 'sweep' AND settings ->> 'suite' = $1::uuid::text)`

/** Suites and their cases. A change of a case or of the checks creates a revision; earlier texts are kept. */
export class SuiteStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async list(
    filter: {
      workspace: string
      target?: string | undefined
      about?: string | undefined
      q?: string | undefined
      reach: AccessScope
    },
    page: number,
    limit: number,
  ): Promise<{ data: SuiteRecord[]; total: number }> {
    const { pool } = this.#database
    const { clause, values } = toWhereClause([
      ['suites.workspace_id = ?', filter.workspace],
      ['suites.target_kind = ?', filter.target],
      ['suites.about = ?', filter.about],
      ['suites.name ILIKE ?', filter.q && toContainsPattern(filter.q)],
      [SCOPE_CONDITIONS.suites, filter.reach ?? undefined],
    ])
    const { rows: counted } = await pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM suites ${clause}`,
      values,
    )
    const { rows } = await pool.query<SuiteRecord>(
      `${selectSuite(values.length + 1)} ${clause}
       ORDER BY suites.created_at DESC, suites.id LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      [...values, filter.reach],
    )
    return { data: rows, total: counted[0]?.total ?? 0 }
  }

  /** @throws ProblemError 404 */
  async get(id: string, reach: AccessScope): Promise<SuiteRecord> {
    const { rows } = await this.#database.pool.query<SuiteRecord>(
      `${selectSuite(2)} WHERE suites.id = $1 AND ${scopeFilter('suites', 2)}`,
      [id, reach],
    )
    return rows[0] ?? throwSuiteNotFound()
  }

  async create(
    suite: { workspace: string; name: string; target: Suite['target']; about: string; checks: readonly Check[] },
    cases: readonly NewCase[],
    person_id: string | null,
  ): Promise<string> {
    const id = randomUUID()
    await this.#database.transaction(async (client) => {
      await client.query(
        `INSERT INTO suites(id, workspace_id, name, revision, target_kind, about, default_checks, person_id, created_at, updated_at)
         VALUES ($1, $2, $3, 1, $4, $5, $6, $7, $8, $8)`,
        [
          id,
          suite.workspace,
          suite.name,
          suite.target,
          suite.about,
          JSON.stringify(suite.checks),
          person_id,
          new Date(),
        ],
      )
      if (cases.length > 0) await insertCases(client, id, 1, cases, person_id)
    })
    return id
  }

  async update(id: string, changes: { name?: string | undefined; checks?: Check[] | undefined }): Promise<void> {
    await this.#database.pool.query(
      `UPDATE suites SET name = COALESCE($2, name), default_checks = COALESCE($3, default_checks), updated_at = $4,
         revision = revision + CASE WHEN $3::json IS NULL THEN 0 ELSE 1 END
       WHERE id = $1`,
      [id, changes.name ?? null, changes.checks ? JSON.stringify(changes.checks) : null, new Date()],
    )
  }

  /** @throws ProblemError 409 while one of its experiments has running rows, or is out of scope */
  async remove(id: string, reach: AccessScope): Promise<void> {
    await this.#database.transaction(async (client) => {
      await client.query('SELECT FROM suites WHERE id = $1 FOR UPDATE', [id])
      const { rows } = await client.query<{ is_visible: boolean; is_running: boolean }>(
        `SELECT ${scopeFilter('batches', 2)} AS is_visible, batches.state = 'running'
           OR EXISTS (SELECT FROM batch_rows WHERE batch_id = batches.id AND batch_rows.state = 'running') AS is_running
         FROM batches WHERE ${IS_OF_SUITE_SQL}`,
        [id, reach],
      )
      if (rows.some(({ is_visible }) => !is_visible))
        throw toSuiteConflict(
          'An experiment of this suite ran with a key that you have no access to. Ask someone with access to it to delete the suite.',
        )
      if (rows.some(({ is_running }) => is_running))
        throw toSuiteConflict('An experiment of this suite is running. Pause it and wait for its rows.')
      await client.query(`DELETE FROM batches WHERE ${IS_OF_SUITE_SQL}`, [id])
      await client.query('DELETE FROM suites WHERE id = $1', [id])
    })
  }

  async listCases(suite_id: string, q: string | undefined, page: number, limit: number, reach: AccessScope) {
    const { pool } = this.#database
    const { clause, values } = toWhereClause([
      ['suite_cases.suite_id = ?', suite_id],
      ['(suite_cases.name ILIKE ? OR suite_cases.input::text ILIKE ?)', q && toContainsPattern(q)],
    ])
    const current = `${clause} AND suite_cases.valid_to IS NULL`
    const { rows: counted } = await pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM suite_cases ${current}`,
      values,
    )
    const { rows } = await pool.query<CaseRecord>(
      `${SELECT_CASE} ${current} ORDER BY suite_cases.position LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      values,
    )
    const results = await this.#listCaseResults(
      suite_id,
      rows.map(({ id }) => id),
      reach,
    )
    return { data: rows.map((row) => toSuiteCase(row, results.get(row.id))), total: counted[0]?.total ?? 0 }
  }

  async listCurrentChecks(suite_id: string): Promise<Check[]> {
    const { rows } = await this.#database.pool.query<{ checks: Check[] }>(
      'SELECT checks FROM suite_cases WHERE suite_id = $1 AND valid_to IS NULL AND json_array_length(checks) > 0',
      [suite_id],
    )
    return rows.flatMap(({ checks }) => checks)
  }

  /** The outcomes of cases in the newest experiments, newest first. */
  async #listCaseResults(
    suite_id: string,
    case_ids: readonly string[],
    reach: AccessScope,
  ): Promise<Map<string, CaseResult[]>> {
    const { rows } = await this.#database.pool.query<{
      case_id: string
      experiment_id: string
      outcomes: Verdict['verdict'][] | null
      rank: number | null
      has_miss: boolean
    }>(
      `WITH newest AS (
         SELECT experiments.id, experiments.created_at FROM experiments JOIN batches ON batches.id = experiments.id
         WHERE suite_id = $1 AND ${scopeFilter('batches', 3)}
         ORDER BY experiments.created_at DESC LIMIT ${MAX_SHOWN_EXPERIMENTS})
       SELECT results.case_id, newest.id AS experiment_id, max(results.rank) AS rank, bool_or(results.rank = 0) AS has_miss,
         array_agg(DISTINCT results.outcome) FILTER (WHERE results.outcome IS NOT NULL) AS outcomes
       FROM newest JOIN experiment_results AS results ON results.experiment_id = newest.id
       WHERE results.case_id = ANY($2)
       GROUP BY results.case_id, newest.id, newest.created_at ORDER BY newest.created_at DESC`,
      [suite_id, case_ids, reach],
    )
    const results = new Map<string, CaseResult[]>()
    for (const { case_id, experiment_id, outcomes, rank, has_miss } of rows) {
      const list = results.get(case_id) ?? []
      list.push({ experiment: experiment_id, outcome: toCaseOutcome(outcomes ?? []), rank: has_miss ? 0 : rank })
      results.set(case_id, list)
    }
    return results
  }

  /**
   * Skips duplicates, which have the same input, expectation and checks as a case of the suite. @returns how many
   * were added
   */
  async addCases(suite_id: string, cases: readonly NewCase[], person_id: string | null): Promise<number> {
    return this.#changeCases(suite_id, async (client, revision) =>
      insertCases(client, suite_id, revision, cases, person_id),
    )
  }

  async updateCase(
    suite_id: string,
    case_id: string,
    changes: CaseChanges,
    person_id: string | null,
  ): Promise<SuiteCase> {
    await this.#changeCases(suite_id, async (client, revision) => {
      const before = await endCase(client, suite_id, case_id, revision)
      const { id, position, name, input, expected, checks, tags, split, source_run } = { ...before, ...changes }
      const text = { id, position, name, input, expected, checks, tags, split, source_run }
      await insertCaseTexts(client, { suite_id, revision, person_id }, [text])
      return 1
    })
    const [current] = (await this.listRevisions(suite_id, case_id, 1, 1)).data
    return current ?? throwCaseNotFound()
  }

  async removeCase(suite_id: string, case_id: string): Promise<void> {
    await this.#changeCases(suite_id, async (client, revision) => {
      await endCase(client, suite_id, case_id, revision)
      return 1
    })
  }

  async listRevisions(suite_id: string, case_id: string, page: number, limit: number) {
    const { pool } = this.#database
    const { rows: counted } = await pool.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM suite_cases WHERE suite_id = $1 AND id = $2',
      [suite_id, case_id],
    )
    const { rows } = await pool.query<CaseRecord>(
      `${SELECT_CASE} WHERE suite_id = $1 AND suite_cases.id = $2
       ORDER BY valid_from DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      [suite_id, case_id],
    )
    return { data: rows.map((row) => toSuiteCase(row, [])), total: counted[0]?.total ?? 0 }
  }

  /** Changes cases in a new revision; without a change there is none. */
  async #changeCases(
    suite_id: string,
    change: (client: PoolClient, revision: number) => Promise<number>,
  ): Promise<number> {
    return this.#database.transaction(async (client) => {
      const { rows } = await client.query<{ revision: number }>(
        'SELECT revision FROM suites WHERE id = $1 FOR UPDATE',
        [suite_id],
      )
      const revision = (rows[0] ?? throwSuiteNotFound()).revision + 1
      const changed = await change(client, revision)
      if (changed > 0)
        await client.query('UPDATE suites SET revision = $2, updated_at = $3 WHERE id = $1', [
          suite_id,
          revision,
          new Date(),
        ])
      return changed
    })
  }
}

async function insertCases(
  client: PoolClient,
  suite_id: string,
  revision: number,
  cases: readonly NewCase[],
  person_id: string | null,
): Promise<number> {
  const { rows } = await client.query<{ cases: number; last: number }>(
    `SELECT count(*) FILTER (WHERE valid_to IS NULL)::int AS cases, coalesce(max(position), 0)::int AS last
     FROM suite_cases WHERE suite_id = $1`,
    [suite_id],
  )
  const { cases: count, last } = rows[0] ?? { cases: 0, last: 0 }
  if (count + cases.length > MAX_CASES) throw toSuiteConflict(`A suite has at most ${MAX_CASES} cases.`)
  const { rowCount } = await client.query(
    `INSERT INTO suite_cases(suite_id, id, valid_from, position, name, input, expected, checks, tags, split, source_run, person_id, updated_at)
     SELECT $1, gen_random_uuid(), $2, $3::int + min(new.number)::int, min(new.name), new.input::json, new.expected::json,
       new.checks::json, ARRAY(SELECT json_array_elements_text(min(new.tags)::json)), min(new.split), (array_agg(new.source_run))[1], $4, $5
     FROM unnest($6::text[], $7::jsonb[], $8::jsonb[], $9::jsonb[], $10::text[], $11::text[], $12::uuid[]) WITH ORDINALITY
       AS new(name, input, expected, checks, tags, split, source_run, number)
     WHERE NOT EXISTS (SELECT FROM suite_cases AS known WHERE known.suite_id = $1 AND known.valid_to IS NULL
       AND known.input::jsonb = new.input AND known.expected::jsonb = new.expected AND known.checks::jsonb = new.checks)
     GROUP BY new.input, new.expected, new.checks`,
    [suite_id, revision, last, person_id, new Date(), ...toCaseParams(cases)],
  )
  return rowCount ?? 0
}

/** Ends the current text of a case. @throws ProblemError 404 without one */
async function endCase(client: PoolClient, suite_id: string, case_id: string, revision: number) {
  const { rows } = await client.query<CaseRecord & { position: number }>(
    'UPDATE suite_cases SET valid_to = $3 WHERE suite_id = $1 AND id = $2 AND valid_to IS NULL RETURNING *',
    [suite_id, case_id, revision],
  )
  return rows[0] ?? throwCaseNotFound()
}

const toSuiteCase = (row: CaseRecord, results: CaseResult[] = []): SuiteCase => ({
  id: row.id,
  name: row.name,
  input: row.input,
  expected: row.expected,
  checks: row.checks,
  tags: row.tags,
  split: row.split,
  source_run: row.source_run,
  revision: row.valid_from,
  person: row.person,
  updated_at: row.updated_at.toISOString(),
  results,
})

export function throwSuiteNotFound(): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'The suite was not found.' })
}

export function throwCaseNotFound(): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'The case was not found.' })
}

export const toSuiteConflict = (message: string) => new ProblemError({ kind: 'invalid', status: 409, message })
