import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Webhook, WebhookDelivery } from '#contract/console/webhooks.ts'
import { invalidFieldError, ProblemError } from '#contract/problem.ts'
import type { Actor } from '../auth/people.ts'
import type { Database } from '../db/database.ts'
import { lockForSealing } from '../db/sealedTables.ts'
import { BackgroundJob } from '../jobs/backgroundJob.ts'
import { auditKeyChange } from '../vault/auditKeyChange.ts'
import type { EgressPolicy } from '../vault/egressPolicy.ts'
import type { Vault } from '../vault/vault.ts'
import {
  addWebhookEvent,
  claimWebhookEvent,
  claimWebhookEvents,
  type DeliveryResult,
  deleteOldWebhookEvents,
  findLastDelivery,
  recordWebhookAttempt,
  toWebhookDelivery,
  type WebhookEventRow,
} from './webhookOutbox.ts'
import { WebhookSender, type WebhookTarget } from './webhookSender.ts'

/** Milliseconds between two checks for due events of this server or of a dead one. */
const DELIVERY_INTERVAL_MS = 3_000
const MAX_CONCURRENT_DELIVERIES = 8
/** Milliseconds between two deletions of old events. */
const CLEANUP_INTERVAL_MS = 3_600_000
const SECRET_BYTES = 32

interface WebhookDeps {
  database: Database
  vault: Vault
  egressPolicy: EgressPolicy
  log: Logger
}

export class WebhookService extends BackgroundJob {
  readonly #deps: WebhookDeps
  readonly #sender: WebhookSender
  #nextCleanupAt = 0

  constructor(deps: WebhookDeps) {
    super({
      run: async (stopSignal) => {
        await this.#deliverDue(stopSignal)
        await this.#deleteOldEvents()
      },
      onError: (err) => deps.log.error({ err }, 'deliver webhook events failed'),
      intervalMs: DELIVERY_INTERVAL_MS,
    })
    this.#deps = deps
    this.#sender = new WebhookSender(deps.egressPolicy)
  }

  /** Null without a webhook. */
  async find(workspace_id: string): Promise<Webhook | null> {
    const { pool } = this.#deps.database
    const { rows } = await pool.query<{ origin: string; updated_at: Date }>(
      'SELECT origin, updated_at FROM webhooks WHERE workspace_id = $1',
      [workspace_id],
    )
    const [row] = rows
    if (!row) return null
    const last_delivery = await findLastDelivery(pool, workspace_id)
    return { origin: row.origin, updated_at: row.updated_at.toISOString(), last_delivery }
  }

  /**
   * Sets or replaces the webhook. Undelivered events of the old one go to the new one.
   * @returns the secret, if it was created here
   * @throws ProblemError for an invalid URL, or one that the egress policy refuses
   */
  async set(
    workspace_id: string,
    given: { url: string; secret?: string | undefined },
    actor: Actor,
  ): Promise<string | null> {
    const { database, vault } = this.#deps
    const url = this.#parseUrl(given.url)
    const secret = given.secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`
    const target: WebhookTarget = { url: url.href, secret }
    await database.transaction(async (client) => {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM workspaces WHERE id = $1 FOR UPDATE', [
        workspace_id,
      ])
      const name = rows[0]?.name ?? throwNoWorkspace()
      await lockForSealing(client, 'webhooks')
      const sealed = vault.encryption.sealWebhook(workspace_id, JSON.stringify(target))
      await client.query(
        `INSERT INTO webhooks(workspace_id, origin, sealed, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (workspace_id) DO UPDATE SET origin = excluded.origin, sealed = excluded.sealed, updated_at = excluded.updated_at`,
        [workspace_id, url.origin, sealed, new Date()],
      )
      await auditKeyChange(client, actor, {
        action: 'webhook.changed',
        workspace: workspace_id,
        about: workspace_id,
        label: name,
        detail: { origin: url.origin },
      })
    })
    return given.secret === undefined ? secret : null
  }

  async delete(workspace_id: string, actor: Actor): Promise<void> {
    await this.#deps.database.transaction(async (client) => {
      const { rows } = await client.query<{ name: string; origin: string }>(
        `DELETE FROM webhooks USING workspaces WHERE workspaces.id = webhooks.workspace_id AND workspace_id = $1
         RETURNING workspaces.name, webhooks.origin`,
        [workspace_id],
      )
      const [row] = rows
      if (!row) throwNoWebhook()
      await client.query('DELETE FROM webhook_events WHERE workspace_id = $1', [workspace_id])
      await auditKeyChange(client, actor, {
        action: 'webhook.deleted',
        workspace: workspace_id,
        about: workspace_id,
        label: row.name,
        detail: { origin: row.origin },
      })
    })
  }

  /** Sends a test event now, once. @throws ProblemError 404 without a webhook */
  async test(workspace_id: string): Promise<WebhookDelivery> {
    const { pool } = this.#deps.database
    const id = (await addWebhookEvent(pool, workspace_id, 'webhook.test', {})) ?? throwNoWebhook()
    const claimed = await claimWebhookEvent(pool, id, new Date())
    const row = claimed && (await this.#deliver(claimed))
    if (row) return toWebhookDelivery(row)
    // Another server was first: its result appears in the settings.
    return (await findLastDelivery(pool, workspace_id)) ?? throwNoWebhook()
  }

  async close(): Promise<void> {
    this.stop()
    await this.#sender.close()
    await this.whenIdle()
  }

  async #deliverDue(stopSignal: AbortSignal): Promise<void> {
    const { pool } = this.#deps.database
    for (;;) {
      const due = await claimWebhookEvents(pool, new Date(), MAX_CONCURRENT_DELIVERIES)
      await Promise.all(due.map((event) => this.#deliver(event)))
      if (due.length < MAX_CONCURRENT_DELIVERIES || stopSignal.aborted) return
    }
  }

  async #deleteOldEvents(): Promise<void> {
    if (Date.now() < this.#nextCleanupAt) return
    this.#nextCleanupAt = Date.now() + CLEANUP_INTERVAL_MS
    await deleteOldWebhookEvents(this.#deps.database.pool)
  }

  async #deliver(event: WebhookEventRow): Promise<WebhookEventRow | null> {
    const result = await this.#send(event)
    if (result.problem !== null)
      this.#deps.log.warn(
        { event: event.id, workspace: event.workspace_id, attempt: event.attempts, ...result },
        'deliver webhook event failed',
      )
    return recordWebhookAttempt(this.#deps.database.pool, event, result, new Date())
  }

  async #send(event: WebhookEventRow): Promise<DeliveryResult> {
    const { database, vault } = this.#deps
    const { rows } = await database.pool.query<{ sealed: string }>(
      'SELECT sealed FROM webhooks WHERE workspace_id = $1',
      [event.workspace_id],
    )
    if (!rows[0]) return { status: null, problem: 'The workspace no longer has a webhook.' }
    try {
      const target = JSON.parse(vault.encryption.openWebhook(event.workspace_id, rows[0].sealed)) as WebhookTarget
      return await this.#sender.send(target, event)
    } catch (error) {
      if (error instanceof ProblemError) return { status: null, problem: error.message }
      throw error
    }
  }

  #parseUrl(given: string): URL {
    if (!URL.canParse(given)) throw invalidFieldError('body.url', 'must be a URL such as https://host/path')
    const url = new URL(given)
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw invalidFieldError('body.url', 'must begin with http:// or https://')
    if (url.username || url.password) throw invalidFieldError('body.url', 'must not hold credentials')
    try {
      this.#deps.egressPolicy.requireAllowedUrl(url)
    } catch {
      throw invalidFieldError('body.url', `must not lead to ${url.host}: the console does not send requests there`)
    }
    return url
  }
}

function throwNoWorkspace(): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'The workspace was not found.' })
}

function throwNoWebhook(): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'This workspace has no webhook.' })
}
