import type { FastifyInstance } from 'fastify'
import type { PlatformContext } from '../context.ts'
import { PACE_MS } from '../model/writer.ts'
import { about } from './about.ts'
import { openAnnotating } from './annotating.ts'
import { annotations } from './annotations.ts'
import { chat } from './chat.ts'
import { completion } from './completion.ts'
import { history } from './history.ts'
import { logs } from './logs.ts'
import { openMatcher } from './matching.ts'
import type { Services } from './services.ts'
import { settle } from './settle.ts'
import { stop } from './stop.ts'
import { openTasks } from './tasks.ts'
import { uploads } from './uploads.ts'
import { workflows } from './workflows.ts'

/** The application half of the platform: operations 11 to 18 and what stands beside them. */
export function apps(app: FastifyInstance, context: PlatformContext, { pace_ms = PACE_MS } = {}): void {
  const tasks = openTasks()
  const services: Services = { tasks, matcher: openMatcher(context), pace_ms }
  const annotating = openAnnotating(context, tasks)
  about(app, context)
  chat(app, context, services)
  completion(app, context, services)
  history(app, context)
  workflows(app, context, services)
  logs(app, context)
  uploads(app, context)
  annotations(app, context, annotating)
  stop(app, context, services)
  let leave = () => undefined as void
  app.addHook('onReady', async () => {
    leave = await settle(context)
    await annotating.resume()
  })
  app.addHook('preClose', () => tasks.close())
  app.addHook('onClose', async () => leave())
}
