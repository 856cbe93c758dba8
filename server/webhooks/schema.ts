import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../db/columns.ts'
import { workspaces } from '../vault/schema.ts'
import type { WebhookEvent } from '#contract/console/webhooks.ts'

/** The webhook of a workspace. `sealed` is an envelope around its URL and its secret; only `origin` is shown. */
export const webhooks = pgTable('webhooks', {
  workspace_id: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  origin: text().notNull(),
  sealed: text().notNull(),
  updated_at: timestampColumn('updated_at').notNull(),
})

/**
 * The outbox: pending events and those of the last days. A server claims an event by moving `next_attempt_at` on, so
 * that another one takes it over if that server dies. `body` is the JSON sent at each attempt, unchanged.
 */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: uuid().primaryKey(),
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    event: text().notNull().$type<WebhookEvent>(),
    body: text().notNull(),
    created_at: timestampColumn('created_at').notNull(),
    attempts: integer().notNull().default(0),
    /** Null once it was delivered or given up. */
    next_attempt_at: timestampColumn('next_attempt_at'),
    attempted_at: timestampColumn('attempted_at'),
    delivered_at: timestampColumn('delivered_at'),
    http_status: integer(),
    problem: text(),
  },
  (table) => [
    index('webhook_events_due').on(table.next_attempt_at),
    index('webhook_events_by_workspace').on(table.workspace_id, table.created_at),
  ],
)
