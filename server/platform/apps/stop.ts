import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { route } from '../route.ts'
import type { Services } from './services.ts'

/** The three ways to stop a run. All say success, also where there is nothing to stop, as upstream does. */
export function stop(app: FastifyInstance, { tasks }: Services): void {
  for (const entry of [adjacent.stopChat, adjacent.stopCompletion, adjacent.stopWorkflow])
    route(app, entry, ({ caller, params, body }) => {
      tasks.stop(caller.app ?? '', params.task_id, body.user)
      return { result: 'success' }
    })
}
