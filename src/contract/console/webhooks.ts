import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const WEBHOOK_EVENTS = ['run.paused', 'key.refused', 'webhook.test'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** A delivery of an event. `retrying` has a further attempt at `next_attempt_at`; `given_up` has none. */
export const WebhookDelivery = z.object({
  /** The id in the body and in the header `Loupe-Event-Id`, the same in every attempt. */
  id: z.string(),
  event: z.enum(WEBHOOK_EVENTS),
  state: z.enum(['pending', 'delivered', 'retrying', 'given_up']),
  created_at: z.string(),
  attempted_at: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  attempts: z.number(),
  status: z.number().nullable(),
  problem: z.string().nullable(),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>

/**
 * A workspace's webhook as anybody may see it: never its URL, which may contain a secret of the receiver, nor its
 * secret.
 */
export const Webhook = z.object({
  /** Scheme, host and port of its URL. */
  origin: z.string(),
  updated_at: z.string(),
  last_delivery: WebhookDelivery.nullable(),
})
export type Webhook = z.output<typeof Webhook>

const WebhookReply = z.object({ webhook: Webhook.nullable() })
const WORKSPACE_WEBHOOK_PATH = '/api/workspaces/:workspace_id/webhook'

/** The webhook of a workspace: a signed POST for runs that pause and keys that are refused. */
export const webhookEndpoints = {
  readWebhook: endpoint({
    method: 'GET',
    path: WORKSPACE_WEBHOOK_PATH,
    key: 'none',
    permission: 'manage',
    reply: WebhookReply,
    tags: ['workspaces'],
  }),
  /** Sets or replaces the webhook. Without a secret one is created; only this reply contains it. */
  updateWebhook: endpoint({
    method: 'PUT',
    path: WORKSPACE_WEBHOOK_PATH,
    key: 'none',
    permission: 'manage',
    body: z.strictObject({
      url: z.string().trim().min(1).max(2048),
      secret: z
        .string()
        .min(16)
        .max(256)
        .regex(/^[\x21-\x7e]+$/, { error: 'must be visible ASCII without blanks' })
        .optional(),
    }),
    reply: z.object({
      webhook: Webhook,
      /** The secret, if the server created it. */
      secret: z.string().nullable(),
    }),
    invalidates: ['workspaces'],
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: WORKSPACE_WEBHOOK_PATH,
    key: 'none',
    permission: 'manage',
    reply: WebhookReply,
    invalidates: ['workspaces'],
  }),
  /** Sends a `webhook.test` now, once. The reply has the result. */
  testWebhook: endpoint({
    method: 'POST',
    path: '/api/workspaces/:workspace_id/webhook/test',
    key: 'none',
    permission: 'manage',
    reply: WebhookDelivery,
    invalidates: ['workspaces'],
  }),
}
