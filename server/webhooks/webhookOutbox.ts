import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { WebhookDelivery, WebhookEvent } from '#contract/console/webhooks.ts'
import { toIsoRow } from '../db/replyRows.ts'
import type { webhookEvents } from './schema.ts'

/** Delay in ms before each further attempt; after the last one the event is given up, about an hour after the first. */
export const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 2_700_000]
/** A claimed event is free again after this time (ms), if its server died; longer than any attempt takes. */
const CLAIM_MS = 60_000
/** Days for which finished events are stored. */
const KEEP_DAYS = 7

export type WebhookEventRow = typeof webhookEvents.$inferSelect

/** The result of an attempt; null status without a reply, null problem for a success. */
export interface DeliveryResult {
  status: number | null
  problem: string | null
}

/**
 * Adds an event for the workspace's webhook in the caller's transaction, if there is one. `data` must contain no
 * token and no key.
 * @returns the event's id, or null without a webhook
 */
export async function addWebhookEvent(
  client: Pool | PoolClient,
  workspace_id: string,
  event: WebhookEvent,
  data: Record<string, unknown>,
): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM workspaces JOIN webhooks ON webhooks.workspace_id = workspaces.id WHERE workspaces.id = $1',
    [workspace_id],
  )
  const [workspace] = rows
  if (!workspace) return null
  const id = randomUUID()
  const created_at = new Date()
  const body = { id, event, created_at, workspace: { id: workspace_id, name: workspace.name }, ...data }
  await client.query(
    `INSERT INTO webhook_events(id, workspace_id, event, body, created_at, next_attempt_at) VALUES ($1, $2, $3, $4, $5, $5)`,
    [id, workspace_id, event, JSON.stringify(body), created_at],
  )
  return id
}

/** Claims due events: for `CLAIM_MS` no other server attempts them. */
export async function claimWebhookEvents(pool: Pool, now: Date, limit: number): Promise<WebhookEventRow[]> {
  const { rows } = await pool.query<WebhookEventRow>(
    `UPDATE webhook_events SET attempts = attempts + 1, attempted_at = $1, next_attempt_at = $2
     WHERE id IN (SELECT id FROM webhook_events WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING *`,
    [now, new Date(now.getTime() + CLAIM_MS), limit],
  )
  return rows
}

/** Claims one event, whenever it is due. @returns null if another server has claimed it */
export async function claimWebhookEvent(pool: Pool, id: string, now: Date): Promise<WebhookEventRow | null> {
  const { rows } = await pool.query<WebhookEventRow>(
    `UPDATE webhook_events SET attempts = attempts + 1, attempted_at = $2, next_attempt_at = $3
     WHERE id = $1 AND attempts = 0 RETURNING *`,
    [id, now, new Date(now.getTime() + CLAIM_MS)],
  )
  return rows[0] ?? null
}

/** Records the result of an attempt, and when the next one is due. A test is never repeated. */
export async function recordWebhookAttempt(
  pool: Pool,
  { id, event, attempts }: Pick<WebhookEventRow, 'id' | 'event' | 'attempts'>,
  { status, problem }: DeliveryResult,
  now: Date,
): Promise<WebhookEventRow | null> {
  const delayMs = problem === null || event === 'webhook.test' ? undefined : RETRY_DELAYS_MS[attempts - 1]
  const { rows } = await pool.query<WebhookEventRow>(
    `UPDATE webhook_events SET http_status = $2, problem = $3, delivered_at = $4, next_attempt_at = $5 WHERE id = $1 RETURNING *`,
    [
      id,
      status,
      problem,
      problem === null ? now : null,
      delayMs === undefined ? null : new Date(now.getTime() + delayMs),
    ],
  )
  return rows[0] ?? null
}

/** The event of a workspace that was attempted last; the newest pending one if none was. */
export async function findLastDelivery(pool: Pool, workspace_id: string): Promise<WebhookDelivery | null> {
  const { rows } = await pool.query<WebhookEventRow>(
    `SELECT * FROM webhook_events WHERE workspace_id = $1 ORDER BY attempted_at DESC NULLS LAST, created_at DESC LIMIT 1`,
    [workspace_id],
  )
  return rows[0] ? toWebhookDelivery(rows[0]) : null
}

export async function deleteOldWebhookEvents(pool: Pool): Promise<void> {
  await pool.query(
    `DELETE FROM webhook_events WHERE next_attempt_at IS NULL AND created_at < now() - interval '${KEEP_DAYS} days'`,
  )
}

export function toWebhookDelivery(row: WebhookEventRow): WebhookDelivery {
  const { id, event, http_status: status, created_at, attempted_at, next_attempt_at, attempts, problem } = toIsoRow(row)
  return {
    id,
    event,
    state: getDeliveryState(row),
    created_at,
    attempted_at,
    next_attempt_at,
    attempts,
    status,
    problem,
  }
}

function getDeliveryState(row: WebhookEventRow): WebhookDelivery['state'] {
  if (row.delivered_at) return 'delivered'
  if (row.next_attempt_at === null) return 'given_up'
  return row.problem === null ? 'pending' : 'retrying'
}
