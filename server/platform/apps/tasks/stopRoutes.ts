import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import type { PlatformContext } from '../../platformContext.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import type { AppServices } from '../appServices.ts'

/**
 * The three ways to stop a run. All say success, also where there is nothing to stop, as upstream does. What does not run
 * here may run in another server that shares the database.
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
