import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import type { PlatformContext } from '../../platformContext.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import type { AppServices } from '../appServices.ts'

/**
 * The three ways to stop a run. All report success, even if there is nothing to stop, as upstream does. A run that is
 * not active here may be active in another server with the same database.
 */
export function registerStopRoutes(
  app: FastifyInstance,
  { database: { messageBus } }: PlatformContext,
  { tasks }: AppServices,
): void {
  for (const entry of [optionalEndpoints.stopChat, optionalEndpoints.stopCompletion, optionalEndpoints.stopWorkflow])
    registerPlatformEndpoint(app, entry, ({ caller, params, body }) => {
      const task = [caller.app ?? '', params.task_id, body.user] as const
      if (!tasks.stop(...task)) messageBus.publish('stop', [encodeURIComponent(JSON.stringify(task))])
      return { result: 'success' }
    })
  const unsubscribe = messageBus.subscribe('stop', (payloads) => {
    for (const payload of payloads) tasks.stop(...(JSON.parse(decodeURIComponent(payload)) as [string, string, string]))
  })
  app.addHook('onClose', async () => unsubscribe())
}
