import { and, asc, eq, lte } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { BackgroundJob } from '../../../jobs/backgroundJob.ts'
import { toUnixSeconds, type PlatformContext } from '../../platformContext.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import type { AppServices } from '../appServices.ts'
import { humanInputForms } from '../schema.ts'
import { checkFormValues, findForm, requireOpenForm } from './forms.ts'
import { resumeRun } from './resumeRun.ts'

/** The forms of paused runs. Anybody with the token and a key of the application may answer once. */
export function registerHumanInputRoutes(app: FastifyInstance, context: PlatformContext, services: AppServices): void {
  registerPlatformEndpoint(app, optionalEndpoints.readForm, async ({ caller, params }) => {
    const form = await findForm(context, caller.app, params.form_token)
    requireOpenForm(form, context.clock())
    const { form_content, inputs, resolved_default_values, actions, expires_at } = form
    return {
      form_content,
      inputs,
      resolved_default_values,
      user_actions: actions,
      expiration_time: toUnixSeconds(expires_at.getTime()),
    }
  })

  registerPlatformEndpoint(app, optionalEndpoints.submitForm, async ({ caller, params, body }) => {
    const form = await findForm(context, caller.app, params.form_token)
    requireOpenForm(form, context.clock())
    const submitter = { app: form.app, user: body.user }
    const { action, inputs } = body
    const values = await checkFormValues(context, submitter, form, { action, values: inputs })
    const closure = { status: 'submitted' as const, action, values, submitted_by: body.user }
    if (await resumeRun(context, services, form.id, closure)) return {}
    // Another submission, or the timeout, came first.
    requireOpenForm(await findForm(context, caller.app, params.form_token), context.clock())
    throw new Error('the form is open and was not claimed')
  })
}

/** Milliseconds between two checks for expired forms. */
const EXPIRY_INTERVAL_MS = 5_000
/** Maximum forms that are closed in one pass. */
const MAX_EXPIRED_FORMS = 100

/** Closes the forms that were not answered in time; their runs continue along the timeout edge. */
export const createFormExpiryJob = (context: PlatformContext, services: AppServices): BackgroundJob =>
  new BackgroundJob({
    intervalMs: EXPIRY_INTERVAL_MS,
    onError: (error) => context.log.error({ err: error }, 'expire forms failed'),
    run: async (stopSignal) => {
      const expired = await context.database.db
        .select({ id: humanInputForms.id })
        .from(humanInputForms)
        .where(and(eq(humanInputForms.status, 'waiting'), lte(humanInputForms.expires_at, new Date(context.clock()))))
        .orderBy(asc(humanInputForms.expires_at))
        .limit(MAX_EXPIRED_FORMS)
      for (const { id } of expired) {
        if (stopSignal.aborted) return
        await resumeRun(context, services, id, { status: 'expired', action: null, values: null, submitted_by: null })
      }
    },
  })
