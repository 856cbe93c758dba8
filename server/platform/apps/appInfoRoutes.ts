import { eq, max, min } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import { OWNER_ID, type PlatformContext } from '../platformContext.ts'
import { registerPlatformEndpoint } from '../platformRoute.ts'
import { PlatformError } from '../platformErrors.ts'
import { findApp, type App } from './appCatalogue.ts'
import { toDerivedId, toEndUserId } from './endUserId.ts'
import { toParameters } from './appParameters.ts'
import { annotationReplies, messages, uploadedFiles, workflowRuns } from './schema.ts'

export function registerAppInfoRoutes(app: FastifyInstance, context: PlatformContext): void {
  registerPlatformEndpoint(app, appParameterEndpoints.parameters, async ({ caller }) => {
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
  // There are no tools, so there are no icons.
  registerPlatformEndpoint(app, optionalEndpoints.readMeta, () => ({ tool_icons: {} }))
  registerPlatformEndpoint(app, optionalEndpoints.readSite, ({ caller }) => toSite(findApp(caller)))
  registerPlatformEndpoint(app, optionalEndpoints.readEndUser, async ({ caller, params }) => {
    const endUser = await findEndUser(context, caller.app ?? '', params.end_user_id)
    if (!endUser) throw new PlatformError(404, 'end_user_not_found', 'End user not found.')
    return endUser
  })
}

/** As upstream's for a new application. */
const ICON = '🤖'

/** This platform has no pages of its own: the title is the name, and the rest are upstream's defaults. */
const toSite = ({ name }: App) => ({
  title: name,
  chat_color_theme: null,
  chat_color_theme_inverted: false,
  icon_type: 'emoji',
  icon: ICON,
  icon_background: '#FFEAD5',
  icon_url: null,
  description: null,
  copyright: null,
  privacy_policy: null,
  input_placeholder: null,
  custom_disclaimer: '',
  default_language: 'en-US',
  show_workflow_steps: true,
  use_icon_as_answer_icon: false,
})

/**
 * An end user of an application, with the times of the first and the last request. Users have no rows: an id is
 * compared with those of all names in messages, runs and files.
 */
async function findEndUser({ database: { db } }: PlatformContext, app: string, id: string) {
  const tables = [messages, workflowRuns, uploadedFiles] as const
  const seen = await Promise.all(
    tables.map((table) =>
      db
        .select({
          user: table.end_user,
          first: min(table.created_at),
          last: max(table.created_at),
        })
        .from(table)
        .where(eq(table.app, app))
        .groupBy(table.end_user),
    ),
  )
  const rows = seen.flat().filter(({ user }) => toEndUserId({ app, user }) === id.toLowerCase())
  const [row] = rows
  if (!row) return null
  const times = rows.flatMap(({ first, last }) => [first, last]).flatMap((time) => time?.getTime() ?? [])
  return {
    id: id.toLowerCase(),
    tenant_id: OWNER_ID,
    app_id: app,
    type: 'service_api',
    external_user_id: null,
    name: null,
    is_anonymous: false,
    session_id: row.user,
    created_at: new Date(Math.min(...times)).toISOString(),
    updated_at: new Date(Math.max(...times)).toISOString(),
  }
}
