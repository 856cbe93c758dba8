import { PathSegmentId } from '#contract/endpoint.ts'
import type { Logger } from 'pino'
import type { Pool } from 'pg'
import type { DocumentFingerprint, Fingerprint } from '#contract/console/experiments/experimentFingerprints.ts'
import type { ExperimentTarget } from '#contract/console/suites.ts'
import { ProblemError } from '#contract/problem.ts'
import { type AccessScope, scopeFilter } from '../../auth/accessScope.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { PlatformCredential, Vault } from '../../vault/vault.ts'
import { findKnowledgeKey } from '../suiteTargets.ts'
import { takeDatasetFingerprint } from './knowledgeFingerprint.ts'

/** As stored in the column. `knowledge_key`: the key that may list the datasets; null if the person may use none. */
export interface StoredFingerprint {
  knowledge_key: string | null
  start: Fingerprint | null
  end: Fingerprint | null
  /** Of the same moments; lists of experiments omit them. */
  documents: { start: DocumentFingerprint[]; end: DocumentFingerprint[] }
}

const MAX_DATASETS = 5
/** Maximum answers whose sources are read. */
const MAX_ANSWERS = 1_000
/** Escapes in JSON text that the database's operators reject: NUL, and half of a surrogate pair. */
const UNREADABLE_JSON_PATTERN = String.raw`[^\\](\\\\)*\\u(0000|d[89a-f])`

/** Records what an experiment ran on, in the background: no experiment waits for it or fails because of it. */
export class FingerprintRecorder {
  readonly #pool: Pool
  readonly #vault: Vault
  readonly #upstream: UpstreamClient
  readonly #log: Logger
  /** A short experiment may end before its start is recorded. */
  readonly #starting = new Map<string, Promise<void>>()

  constructor({ pool, vault, upstream, log }: { pool: Pool; vault: Vault; upstream: UpstreamClient; log: Logger }) {
    this.#pool = pool
    this.#vault = vault
    this.#upstream = upstream
    this.#log = log
  }

  /** The datasets of an app are those of the newest experiment of its suite in scope: this one has cited none yet. */
  recordStart(experiment_id: string, reach: AccessScope): void {
    const starting = this.#recordStart(experiment_id, reach)
      .catch((err: unknown) => this.#log.error({ err, experiment: experiment_id }, 'record fingerprint failed'))
      .finally(() => this.#starting.delete(experiment_id))
    this.#starting.set(experiment_id, starting)
  }

  async #recordStart(experiment_id: string, reach: AccessScope): Promise<void> {
    const { rows } = await this.#pool.query<{
      target: ExperimentTarget
      workspace_id: string
      datasets: string[] | null
    }>(
      `SELECT experiments.target, suites.workspace_id, (
         SELECT ARRAY(SELECT json_array_elements(earlier.fingerprint -> 'end' -> 'datasets') ->> 'dataset_id')
         FROM experiments AS earlier JOIN batches ON batches.id = earlier.id
         WHERE earlier.suite_id = experiments.suite_id AND ${scopeFilter('batches', 2)}
           AND json_typeof(earlier.fingerprint -> 'end') = 'object'
         ORDER BY earlier.created_at DESC LIMIT 1) AS datasets
       FROM experiments JOIN suites ON suites.id = experiments.suite_id WHERE experiments.id = $1`,
      [experiment_id, reach],
    )
    const [row] = rows
    if (!row) return
    const key = await findKnowledgeKey(this.#pool, row.workspace_id)
    const knowledge = key === null ? null : await this.#getKey(key, reach)
    const datasets = row.target.dataset_id === null ? (row.datasets ?? []) : [row.target.dataset_id]
    const { moment, documents } = await this.#take(experiment_id, row.target, knowledge, datasets)
    const stored: StoredFingerprint = {
      knowledge_key: knowledge?.key_id ?? null,
      start: moment,
      end: null,
      documents: { start: documents, end: [] },
    }
    await this.#pool.query('UPDATE experiments SET fingerprint = $2 WHERE id = $1 AND fingerprint IS NULL', [
      experiment_id,
      JSON.stringify(stored),
    ])
  }

  /** The datasets of an app are those that its answers cited, and those known at the start. */
  async recordEnd(experiment_id: string): Promise<void> {
    await this.#starting.get(experiment_id)
    const { rows } = await this.#pool.query<{
      target: ExperimentTarget
      fingerprint: StoredFingerprint | null
      versions: string[] | null
    }>(
      `SELECT target, fingerprint, (
         SELECT array_agg(DISTINCT calls.workflow_id) FROM batch_rows JOIN calls ON calls.id = batch_rows.run_id
         WHERE batch_rows.batch_id = experiments.id AND calls.workflow_id IS NOT NULL) AS versions
       FROM experiments WHERE id = $1`,
      [experiment_id],
    )
    const [row] = rows
    if (!row) return
    const key_id = row.fingerprint?.knowledge_key ?? null
    const knowledge = key_id === null ? null : await this.#getKey(key_id, null)
    const known = row.fingerprint?.start?.datasets.map(({ dataset_id }) => dataset_id) ?? []
    const datasets =
      row.target.dataset_id === null
        ? [...new Set([...(await this.#listCitedDatasets(experiment_id)), ...known])]
        : [row.target.dataset_id]
    const { moment, documents } = await this.#take(experiment_id, row.target, knowledge, datasets)
    const stored: StoredFingerprint = {
      knowledge_key: key_id,
      start: row.fingerprint?.start ?? null,
      end: { ...moment, versions: row.versions ?? [] },
      documents: { start: row.fingerprint?.documents.start ?? [], end: documents },
    }
    await this.#pool.query('UPDATE experiments SET fingerprint = $2 WHERE id = $1', [
      experiment_id,
      JSON.stringify(stored),
    ])
  }

  async #listCitedDatasets(experiment_id: string): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `SELECT source ->> 'dataset_id' AS id FROM (
         SELECT calls.answer -> 'sources' AS sources FROM batch_rows JOIN calls ON calls.id = batch_rows.run_id
         WHERE batch_rows.batch_id = $1 AND CASE WHEN calls.answer::text ~ '${UNREADABLE_JSON_PATTERN}' THEN false
           ELSE json_typeof(calls.answer -> 'sources') = 'array' END LIMIT ${MAX_ANSWERS}) AS answers,
         json_array_elements(sources) AS source
       WHERE source ->> 'dataset_id' IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT ${MAX_DATASETS}`,
      [experiment_id],
    )
    return rows.map(({ id }) => id)
  }

  async #take(
    experiment_id: string,
    target: ExperimentTarget,
    knowledge: PlatformCredential | null,
    dataset_ids: readonly string[],
  ): Promise<{ moment: Fingerprint; documents: DocumentFingerprint[] }> {
    const taken = []
    // An answer may contain any id, and each becomes a path.
    for (const dataset_id of dataset_ids.filter(isPathSegmentId).slice(0, MAX_DATASETS))
      taken.push(
        knowledge
          ? await takeDatasetFingerprint(this.#upstream, knowledge, dataset_id, experiment_id)
          : { dataset: toUnknownDataset(dataset_id), documents: [] },
      )
    const datasets = taken.map(({ dataset }) => dataset)
    const parameters = await this.#findParameters(target)
    return {
      moment: { at: new Date().toISOString(), parameters, versions: [], datasets },
      documents: taken.flatMap(({ documents }) => documents),
    }
  }

  /** The last read version of the app's parameters; null if nobody has read them. */
  async #findParameters({ source, key }: ExperimentTarget): Promise<string | null> {
    if (source === 'retrieve') return null
    const { rows } = await this.#pool.query<{ id: string }>(
      `SELECT id FROM resources WHERE kind = 'parameters' AND parent = $1 ORDER BY last_seen DESC LIMIT 1`,
      [key],
    )
    return rows[0]?.id.split(':')[1] ?? null
  }

  /** Null if it was deleted or may not be used. */
  async #getKey(key_id: string, reach: AccessScope): Promise<PlatformCredential | null> {
    try {
      return await this.#vault.getCredential(key_id, reach)
    } catch (error) {
      if (error instanceof ProblemError) return null
      throw error
    }
  }
}

const isPathSegmentId = (id: string): boolean => PathSegmentId.safeParse(id).success

const toUnknownDataset = (dataset_id: string) => ({
  dataset_id,
  hash: null,
  settings: null,
  documents: null,
  unknown: ['settings', 'documents'],
})
