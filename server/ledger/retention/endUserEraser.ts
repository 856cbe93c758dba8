import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { ACTIVE_STATUSES } from '#contract/console/runs.ts'
import type { Database } from '../../db/database.ts'
import type { ResourceStore } from '../resources.ts'
import { type CallDeleter, type DeletableCall, STEP_PAUSE_MS } from './callDeleter.ts'
import { INDEX_ONLY_SETTINGS } from './indexOnlySettings.ts'
import type { erasures } from '../schema.ts'
import { isJsonContainer, isNumeric } from '#domain/losslessJson.ts'

const CALLS_PER_SCAN = 2_000

/** A request to erase the runs of an end user that started before a moment. */
type Erasure = Pick<typeof erasures.$inferSelect, 'end_user' | 'before'>

interface EndUserCall extends DeletableCall {
  conversation_id: string | null
  message_id: string | null
  task_id: string | null
  workflow_run_id: string | null
}
type RunIdColumn = Exclude<keyof EndUserCall, keyof DeletableCall>

interface EraserOptions {
  database: Database
  resources: ResourceStore
  callDeleter: CallDeleter
  isStopped: () => boolean
}

/** Deletes the runs of end users, as requested in `erasures`, and the resources that those runs named. */
export class EndUserEraser {
  readonly #database: Database
  readonly #resources: ResourceStore
  readonly #callDeleter: CallDeleter
  readonly #isStopped: () => boolean

  constructor({ database, resources, callDeleter, isStopped }: EraserOptions) {
    this.#database = database
    this.#resources = resources
    this.#callDeleter = callDeleter
    this.#isStopped = isStopped
  }

  /** @returns the number of deleted calls */
  async run(workspace_id: string): Promise<number> {
    const { pool } = this.#database
    let removed = 0
    for (const { end_user, before } of await listErasures(pool, workspace_id)) {
      removed += await this.#erase(workspace_id, { end_user, before })
      if (this.#isStopped()) break
      // A request with a later cutoff may have arrived: the next pass completes it.
      await pool.query('DELETE FROM erasures WHERE workspace_id = $1 AND end_user = $2 AND before = $3', [
        workspace_id,
        end_user,
        before,
      ])
    }
    return removed
  }

  async #erase(workspace_id: string, { end_user, before }: Erasure): Promise<number> {
    let removed = 0
    let cursor = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' }
    while (!this.#isStopped()) {
      // No index contains the end user: each step reads a page of the workspace's calls.
      const page = await this.#database.transaction(async (client) => {
        await client.query(INDEX_ONLY_SETTINGS)
        return (
          await client.query<EndUserCall & { at: Date; is_deletable: boolean }>(
            `SELECT created_at AS at, id, frames, conversation_id, message_id, task_id, workflow_run_id,
               end_user IS NOT DISTINCT FROM $5 AND status <> ALL($6) AS is_deletable
             FROM calls WHERE workspace_id = $1 AND (created_at, id) > ($2, $3) AND created_at < $4
             ORDER BY created_at, id LIMIT ${CALLS_PER_SCAN}`,
            [workspace_id, cursor.at, cursor.id, before, end_user, ACTIVE_STATUSES],
          )
        ).rows
      })
      removed += await this.#callDeleter.delete(
        workspace_id,
        page.filter(({ is_deletable }) => is_deletable),
        async (calls) => {
          await this.#clearDriftSamples(workspace_id, calls)
          await this.#deleteResources(workspace_id, calls)
        },
      )
      const last = page.at(-1)
      if (!last || page.length < CALLS_PER_SCAN) break
      cursor = last
      await pause(STEP_PAUSE_MS)
    }
    return removed
  }

  /** The drift stays, and its sample keeps its form, which shows whether the contract knows it by now. */
  async #clearDriftSamples(workspace_id: string, calls: readonly DeletableCall[]): Promise<void> {
    const { pool } = this.#database
    const { rows } = await pool.query<{ id: string; sample: unknown }>(
      `SELECT id, sample FROM drifts WHERE workspace_id = $1 AND call_id = ANY($2::uuid[]) AND kind <> 'status'`,
      [workspace_id, calls.map(({ id }) => id)],
    )
    for (const { id, sample } of rows)
      await pool.query('UPDATE drifts SET sample = $3 WHERE workspace_id = $1 AND id = $2', [
        workspace_id,
        id,
        JSON.stringify(toEmptyForm(sample)),
      ])
  }

  /** Resources before calls: after a stop nothing would name them. */
  async #deleteResources(workspace_id: string, calls: readonly EndUserCall[]): Promise<void> {
    const listIds = (column: RunIdColumn) => [...new Set(calls.flatMap((call) => call[column] ?? []))]
    const conversations = listIds('conversation_id')
    const continued = await this.#findContinuedConversations(
      workspace_id,
      conversations,
      calls.map(({ id }) => id),
    )
    // Its name may be the question of a deleted run.
    await this.#resources.clearRecords(workspace_id, 'conversation', [...continued])
    await this.#resources.delete(
      workspace_id,
      'conversation',
      conversations.filter((id) => !continued.has(id)),
    )
    await this.#resources.delete(workspace_id, 'message', listIds('message_id'))
    await this.#resources.delete(workspace_id, 'task', listIds('task_id'))
    await this.#resources.delete(workspace_id, 'workflow_run', listIds('workflow_run_id'))
  }

  /** The conversations that have other runs than the given ones. */
  #findContinuedConversations(workspace_id: string, conversations: readonly string[], call_ids: readonly string[]) {
    return this.#database.transaction(async (client) => {
      await client.query(INDEX_ONLY_SETTINGS)
      // Written so that only the index of conversations fits: that of workspaces would read all calls of one.
      const { rows } = await client.query<{ id: string }>(
        `SELECT named.id FROM unnest($2::text[]) AS named(id), LATERAL (
           SELECT FROM calls WHERE conversation_id = named.id AND workspace_id IS NOT DISTINCT FROM $1
           AND calls.id <> ALL($3::uuid[]) LIMIT 1) AS other`,
        [workspace_id, conversations, call_ids],
      )
      return new Set(rows.map(({ id }) => id))
    })
  }
}

function toEmptyForm(value: unknown): unknown {
  if (typeof value === 'string') return '…'
  if (isNumeric(value)) return 0
  if (Array.isArray(value)) return value.map(toEmptyForm)
  if (!isJsonContainer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toEmptyForm(field)]))
}

export async function listErasures(pool: Pool, workspace_id: string): Promise<Erasure[]> {
  const { rows } = await pool.query<Erasure>(
    'SELECT end_user, before FROM erasures WHERE workspace_id = $1 ORDER BY before, end_user',
    [workspace_id],
  )
  return rows
}
