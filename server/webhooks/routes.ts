import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { toActor } from '../auth/peopleRoutes.ts'
import { requireWorkspace } from '../auth/resourceScope.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import type { WebhookService } from './webhookService.ts'

/** The webhook of a workspace. No reply contains its URL; its secret is only in the reply that created it. */
export function registerWebhookRoutes(
  app: FastifyInstance,
  { pool, webhooks }: { pool: Pool; webhooks: WebhookService },
): void {
  const { readWebhook, updateWebhook, deleteWebhook, testWebhook } = contract.console

  registerEndpoint(app, readWebhook, async ({ params }, { accessScope }) => {
    await requireWorkspace(pool, params.workspace_id, accessScope)
    return { webhook: await webhooks.find(params.workspace_id) }
  })
  registerEndpoint(app, updateWebhook, async ({ params, body }, request) => {
    await requireWorkspace(pool, params.workspace_id, request.accessScope)
    const secret = await webhooks.set(params.workspace_id, body, toActor(request))
    const webhook = await webhooks.find(params.workspace_id)
    if (!webhook)
      throw new ProblemError({ kind: 'invalid', status: 409, message: 'The webhook was deleted at the same time.' })
    return { webhook, secret }
  })
  registerEndpoint(app, deleteWebhook, async ({ params }, request) => {
    await requireWorkspace(pool, params.workspace_id, request.accessScope)
    await webhooks.delete(params.workspace_id, toActor(request))
    return { webhook: null }
  })
  registerEndpoint(app, testWebhook, async ({ params }, { accessScope }) => {
    await requireWorkspace(pool, params.workspace_id, accessScope)
    return webhooks.test(params.workspace_id)
  })
}
