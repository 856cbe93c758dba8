import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import type { PlatformContext } from '../context.ts'
import { route } from '../route.ts'
import type { Services } from './services.ts'

/**
 * The three ways to stop a run. All say success, also where there is nothing to stop, as upstream does. What does not run
 * here may run in another server that shares the database.
 */
export function stop(app: FastifyInstance, { database: { post } }: PlatformContext, { tasks }: Services): void {
  for (const entry of [adjacent.stopChat, adjacent.stopCompletion, adjacent.stopWorkflow])
    route(app, entry, ({ caller, params, body }) => {
      const task = [caller.app ?? '', params.task_id, body.user] as const
      if (!tasks.stop(...task)) post.say('stop', [encodeURIComponent(JSON.stringify(task))])
      return { result: 'success' }
    })
  const leave = post.hear('stop', (said) => {
    for (const one of said) tasks.stop(...(JSON.parse(decodeURIComponent(one)) as [string, string, string]))
  })
  app.addHook('onClose', async () => leave())
}
