import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { workflowEndpoints } from '#contract/platform/workflows.ts'
import type { PlatformContext } from '../platformContext.ts'
import { registerPlatformEndpoint } from '../platformRoute.ts'
import { findApp } from './appCatalogue.ts'
import { toDerivedId } from './endUserId.ts'
import { toParameters } from './appParameters.ts'
import { annotationReplies } from './schema.ts'

/** Application metadata and parameters: operation 13 and `/info`. */
export function registerAppInfoRoutes(app: FastifyInstance, context: PlatformContext): void {
  registerPlatformEndpoint(app, workflowEndpoints.parameters, async ({ caller }) => {
    const definition = findApp(caller)
    const [reply] = await context.database.db
      .select()
      .from(annotationReplies)
      .where(eq(annotationReplies.app, definition.id))
    return toParameters({
      ...definition,
      cites: definition.mode === 'chat' || definition.mode === 'advanced-chat',
      // The settings have no id of their own: there is one row for each application.
      annotation_reply: reply?.enabled ? { ...reply, id: toDerivedId(`annotation-reply\0${definition.id}`) } : null,
    })
  })
  registerPlatformEndpoint(app, optionalEndpoints.info, ({ caller }) => {
    const { name, description, tags, mode, author_name } = findApp(caller)
    return { name, description, tags, mode, author_name }
  })
  // Not in the contract: upstream's clients request it, no screen here does. There are no tools, so there are no icons.
  app.get('/meta', { config: { keyNeed: 'app' } }, () => ({ tool_icons: {} }))
}
