import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { workflows } from '#contract/workflows.ts'
import type { PlatformContext } from '../context.ts'
import { route } from '../route.ts'
import { findApp } from './catalogue.ts'
import { parametersOf } from './parameters.ts'
import { annotationReplies } from './schema.ts'

/** What an application is and what it takes: operation 13 and `/info`. */
export function about(app: FastifyInstance, context: PlatformContext): void {
  route(app, workflows.parameters, async ({ caller }) => {
    const definition = findApp(caller)
    const [reply] = await context.database.db
      .select({ enabled: annotationReplies.enabled })
      .from(annotationReplies)
      .where(eq(annotationReplies.app, definition.id))
    return parametersOf({
      ...definition,
      cites: definition.mode === 'chat',
      annotation_reply: reply?.enabled ?? false,
    })
  })
  route(app, adjacent.info, ({ caller }) => {
    const { name, description, tags, mode, author_name } = findApp(caller)
    return { name, description, tags, mode, author_name }
  })
  // No entry of the contract: upstream's clients ask it, no screen here does. There are no tools, so there are no icons.
  app.get('/meta', { config: { need: 'app' } }, () => ({ tool_icons: {} }))
}
