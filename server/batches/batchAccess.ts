import type { PoolClient } from 'pg'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { canCall, ROLES } from '#contract/permissions.ts'

const ROLES_THAT_RUN = ROLES.filter((role) => canCall(role, contract.console.startBatch))

/** A condition on a row of `batches`: whether a person may start it, as `people` and `grants` are now. $1 are `ROLES_THAT_RUN`. */
const canStartSql = (person_id: string): string => `EXISTS (
  SELECT FROM people WHERE people.id = ${person_id} AND people.disabled_at IS NULL AND people.role = ANY($1)
    AND (people.role = 'admin' OR NOT people.narrowed OR EXISTS (
      SELECT FROM grants WHERE grants.person_id = people.id AND grants.workspace_id = batches.workspace_id
        AND (grants.key_id IS NULL OR grants.key_id = batches.key_id))))`

/** Before started_by was recorded, whoever created a batch stands for whoever started it. */
const STARTED_BY_SQL = 'coalesce(batches.started_by, batches.person_id)'

/**
 * Whether a person may start a batch. Until the transaction ends nobody changes that person: a batch starts before such a
 * change, which then pauses it, or is refused after it.
 */
export async function canStartBatch(client: PoolClient, batch_id: string, person_id: string): Promise<boolean> {
  await client.query('SELECT FROM people WHERE id = $1 FOR SHARE', [person_id])
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT ${canStartSql('$3::uuid')} AS may FROM batches WHERE id = $2`,
    [ROLES_THAT_RUN, batch_id, person_id],
  )
  return rows[0]?.may ?? false
}

/**
 * Pauses the running batches that a person started and could not start now. Call it in the transaction that changes the
 * person, after the change.
 * @param isShutOut true where the person can no longer sign in, whatever `people` says: all their batches are paused
 * @param reason a sentence for the screen
 * @returns the ids of the paused batches
 */
export async function pauseBatchesWithoutAccess(
  client: PoolClient,
  { person_id, isShutOut, reason }: { person_id: string; isShutOut: boolean; reason: string },
): Promise<string[]> {
  const problem: Problem = { kind: 'denied', message: reason }
  const { rows } = await client.query<{ id: string }>(
    `UPDATE batches SET state = 'paused', pause = 'no_access', problem = $4, waits_until = NULL
     WHERE state = 'running' AND ${STARTED_BY_SQL} = $2 AND ($3 OR NOT ${canStartSql('$2::uuid')}) RETURNING id`,
    [ROLES_THAT_RUN, person_id, isShutOut, JSON.stringify(problem)],
  )
  return rows.map(({ id }) => id)
}
