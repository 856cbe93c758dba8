import type { Pool } from 'pg'
import { DEFAULT_BATCH_LIMITS } from '#contract/console/batches.ts'
import type { PredictedResult, SuitePrediction } from '#contract/console/experiments/predictions.ts'
import type { Sweep, SweepSetting, SweptSetting } from '#contract/console/experiments/sweeps.ts'
import { type BestSetting, findBestSetting, measureSetting } from '#domain/experiments/settingSweep.ts'
import { type AccessScope, scopeFilter } from '../../auth/accessScope.ts'
import type { BatchRowRecord } from '../../batches/batchRecord.ts'
import { type BatchStore, insertBatch, insertRows } from '../../batches/batchStore.ts'
import type { Database } from '../../db/database.ts'
import { type SuiteRecord, toSuiteConflict } from '../suiteStore.ts'

/** The result of a row: what the cases of the suite find with its setting. */
export interface SweepResult {
  source: SuitePrediction['source']
  results: Omit<PredictedResult, 'case_name'>[]
}

interface SweepRowRecord extends Pick<BatchRowRecord, 'number' | 'state' | 'problem'> {
  setting: SweepSetting
  result: SweepResult | null
}

export interface NewSweep {
  id: string
  key_id: string
  person_id: string
  settings: readonly SweepSetting[]
}

/** The sweep over settings of each suite. It is a batch, whose rows are settings. */
export class SweepStore {
  readonly #database: Database
  readonly #batches: BatchStore

  constructor(database: Database, batches: BatchStore) {
    this.#database = database
    this.#batches = batches
  }

  /** Replaces the last sweep of the suite. The same id again changes nothing. @throws ProblemError 409 while one is running */
  async create(suite: SuiteRecord, { id, key_id, person_id, settings }: NewSweep): Promise<void> {
    await this.#database.transaction(async (client) => {
      await client.query('SELECT FROM suites WHERE id = $1 FOR UPDATE', [suite.id])
      const isNew = await insertBatch(
        client,
        {
          ...DEFAULT_BATCH_LIMITS,
          id,
          kind: 'sweep',
          workspace_id: suite.workspace_id,
          key_id,
          entry: null,
          name: suite.name,
          settings: { suite: suite.id },
          // Estimates search the listing of the setting before.
          at_once: 1,
          total: settings.length,
          person_id,
        },
        'paused',
      )
      if (!isNew) return
      const { rows } = await client.query<{ id: string; is_running: boolean }>(
        `SELECT id, state = 'running' OR EXISTS (SELECT FROM batch_rows WHERE batch_id = batches.id AND batch_rows.state = 'running')
           AS is_running FROM batches WHERE kind = 'sweep' AND settings ->> 'suite' = $1 AND id <> $2`,
        [suite.id, id],
      )
      if (rows.some(({ is_running }) => is_running))
        throw toSuiteConflict('Settings of this suite are being tried. Wait until they are, or cancel that.')
      await client.query('DELETE FROM batches WHERE id = ANY($1)', [rows.map((row) => row.id)])
      const toInput = (setting: SweepSetting) => ({ inputs: { ...setting }, beside: {} })
      await insertRows(
        client,
        id,
        1,
        settings.map((setting) => ({ input: toInput(setting), title: '' })),
      )
    })
  }

  /** The newest one of the suite. */
  async findLast(suite_id: string, reach: AccessScope): Promise<Sweep | null> {
    const { pool } = this.#database
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM batches WHERE kind = 'sweep' AND settings ->> 'suite' = $1 AND ${scopeFilter('batches', 2)}
       ORDER BY created_at DESC LIMIT 1`,
      [suite_id, reach],
    )
    if (!rows[0]) return null
    const batch = await this.#batches.get(rows[0].id, reach)
    return { batch, settings: toSweptSettings(await listSweepRows(pool, batch.id), batch.state === 'ended') }
  }
}

async function listSweepRows(pool: Pool, id: string): Promise<SweepRowRecord[]> {
  const { rows } = await pool.query<SweepRowRecord>(
    `SELECT number, state, problem, input -> 'inputs' AS setting, result FROM batch_rows WHERE batch_id = $1 ORDER BY number`,
    [id],
  )
  return rows
}

function toSweptSettings(rows: readonly SweepRowRecord[], hasEnded: boolean): SweptSetting[] {
  const best = hasEnded ? findBestOfGroups(rows) : []
  return rows.map(({ number, state, problem, setting: { retrieval_model: _, ...values }, result }, index) => {
    const test = best.find((one) => one.index === index)?.test
    return {
      number,
      state,
      problem,
      values,
      source: result?.source ?? null,
      ...measureSetting(result?.results ?? []),
      best: test ? { fixed: test.fixed, regressed: test.regressed } : null,
    }
  })
}

/** Dry runs and estimates are compared among themselves; the first of each is the current setting. */
function findBestOfGroups(rows: readonly SweepRowRecord[]): BestSetting[] {
  return [false, true].flatMap((is_estimate) => {
    const places = rows.flatMap(({ setting, result }, index) =>
      setting.is_estimate === is_estimate && result ? [index] : [],
    )
    if (places[0] !== rows.findIndex(({ setting }) => setting.is_estimate === is_estimate)) return []
    const best = findBestSetting(places.map((index) => rows[index]?.result?.results ?? []))
    return best ? [{ ...best, index: places[best.index] ?? 0 }] : []
  })
}
