import type { FastifyInstance } from 'fastify'
import type { PlatformContext } from '../context.ts'
import { PACE_MS } from '../model/writer.ts'
import { about } from './about.ts'
import { chat } from './chat.ts'
import type { Services } from './services.ts'
import { openTasks } from './tasks.ts'

/** The application half of the platform: operations 11 to 18 and what stands beside them. */
export function apps(app: FastifyInstance, context: PlatformContext, { pace_ms = PACE_MS } = {}): void {
  const services: Services = { tasks: openTasks(), pace_ms }
  about(app, context)
  chat(app, context, services)
  app.addHook('preClose', () => services.tasks.close())
}
