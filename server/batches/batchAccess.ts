import type { PoolClient } from 'pg'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { canCall, ROLES } from '#contract/permissions.ts'
import { recordAudit } from '../auth/audit/auditLog.ts'
import type { PauseBatches } from '../auth/people.ts'

const ROLES_THAT_RUN = ROLES.filter((role) => canCall(role, contract.console.startBatch))

/** An SQL condition on a row of `people`: whether it has access to a key of a workspace. */
export const hasAccessSql = (workspace_id: string, key_id: string): string =>
  `(people.role = 'admin' OR NOT people.narrowed OR EXISTS (
    SELECT FROM grants WHERE grants.person_id = people.id AND grants.workspace_id = ${workspace_id}
      AND (grants.key_id IS NULL OR grants.key_id = ${key_id})))`

/** A job over runs has no key: any grant in the workspace is enough to start it, and each run is checked by itself. */
const KEY_OF_BATCH_SQL = "CASE WHEN batches.kind = 'runs' THEN grants.key_id ELSE batches.key_id END"

/**
 * An SQL condition on a row of `batches`: whether a person may start it with the current `people` and `grants`. They need
 * access to its key, to those of its judges, and to those of its rows that are still to be sent. $1 are `ROLES_THAT_RUN`.
 */
const canStartSql = (person_id: string): string => `EXISTS (
  SELECT FROM people WHERE people.id = ${person_id} AND people.disabled_at IS NULL AND people.role = ANY($1)
    AND (batches.kind = 'board' OR ${hasAccessSql('batches.workspace_id', KEY_OF_BATCH_SQL)}) AND NOT EXISTS (
      SELECT FROM batch_rows AS rows JOIN keys ON keys.id = rows.key_id
      WHERE batches.kind = 'board' AND rows.batch_id = batches.id AND rows.state IN ('waiting', 'running')
        AND NOT ${hasAccessSql('keys.workspace_id', 'rows.key_id')}) AND NOT EXISTS (
      SELECT FROM experiments, unnest(experiments.judge_keys) AS judge(key_id)
      WHERE experiments.id = batches.id AND NOT ${hasAccessSql('batches.workspace_id', 'judge.key_id')}))`

/** Before started_by was recorded, the creator of a batch counts as the person who started it. */
const STARTED_BY_SQL = 'coalesce(batches.started_by, batches.person_id)'

/**
 * Whether a person may start a batch. It locks the person's row until the end of the transaction: a batch either starts
 * before such a change, which then pauses it, or is rejected after it.
 */
export async function canStartBatch(client: PoolClient, batch_id: string, person_id: string): Promise<boolean> {
  await lockPerson(client, person_id)
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT ${canStartSql('$3::uuid')} AS may FROM batches WHERE id = $2`,
    [ROLES_THAT_RUN, batch_id, person_id],
  )
  return rows[0]?.may ?? false
}

/** Holds up changes of a person's rights until the end of the transaction. Batches are locked after it. */
export const lockPerson = (client: PoolClient, person_id: string) =>
  client.query('SELECT FROM people WHERE id = $1 FOR SHARE', [person_id])

/**
 * Pauses the running batches that a person started and may no longer start. If the person can no longer sign in, all
 * their batches are paused.
 */
export const pauseBatches: PauseBatches = async (client, { person_id, isShutOut, reason }, entry) => {
  const problem: Problem = { kind: 'denied', message: reason }
  const { rows } = await client.query<{ id: string }>(
    `UPDATE batches SET state = 'paused', pause = 'no_access', problem = $4, waits_until = NULL
     WHERE state = 'running' AND ${STARTED_BY_SQL} = $2 AND ($3 OR NOT ${canStartSql('$2::uuid')}) RETURNING id`,
    [ROLES_THAT_RUN, person_id, isShutOut, JSON.stringify(problem)],
  )
  const batches = rows.map(({ id }) => id)
  if (batches.length > 0) await recordAudit(client, { action: 'batches.paused', ...entry, detail: { batches, reason } })
  return batches
}
