import type { Logger } from 'pino'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import type { OpenIdProvider } from './openIdProvider.ts'
import type { DueSession, EndedSessions, OpenIdSessions } from './openIdSessions.ts'
import { SignInRefusedError } from './signInRefusal.ts'

/** Milliseconds between two looks for due sessions. */
const CHECK_POLL_INTERVAL_MS = 60_000
const MAX_CONCURRENT_CHECKS = 4

interface SessionCheckDeps {
  provider: OpenIdProvider
  openIdSessions: OpenIdSessions
  log: Logger
  announce: (result: EndedSessions) => void
}

/**
 * Checks open sessions with the OpenID provider where it gave a refresh token: a session that it no longer renews
 * ends, and a changed role applies. During an outage of the provider sessions continue. One of several servers
 * checks.
 */
export class OpenIdSessionCheck extends BackgroundJob {
  readonly #deps: SessionCheckDeps

  constructor(deps: SessionCheckDeps) {
    super({
      run: (stopSignal) => this.#checkDue(stopSignal),
      onError: (err) => deps.log.error({ err }, 'check sessions at the sign-in provider failed'),
      intervalMs: CHECK_POLL_INTERVAL_MS,
    })
    this.#deps = deps
  }

  async #checkDue(stopSignal: AbortSignal): Promise<void> {
    const { provider, openIdSessions } = this.#deps
    if (!(await openIdSessions.hasDue(new Date()))) return
    const issuer = await provider.getIssuer().catch((error: unknown) => this.#logRefusal(error, {}))
    if (issuer === null) return
    for (;;) {
      const due = await openIdSessions.claimDue(issuer, new Date(), MAX_CONCURRENT_CHECKS)
      await Promise.all(
        due.map((one) =>
          this.#check(one).catch((error: unknown) => this.#logRefusal(error, { person: one.person_id })),
        ),
      )
      if (due.length < MAX_CONCURRENT_CHECKS || stopSignal.aborted) return
    }
  }

  async #check(due: DueSession): Promise<void> {
    const { provider, openIdSessions, log, announce } = this.#deps
    const { subject, person_id: person } = due
    const tokens = openIdSessions.openTokens(due)
    if (!tokens || tokens.refresh_token === null) return openIdSessions.stopChecks(due)
    const renewed = await provider.refresh(tokens.refresh_token)
    const stored = { ...tokens, refresh_token: renewed?.refresh_token ?? tokens.refresh_token }
    if (renewed?.refresh_token && !(await openIdSessions.storeTokens(due, stored)))
      return log.warn({ person }, 'store renewed tokens failed: the session ended, or another server checks it')
    if (!renewed || !(await provider.verifyRefreshed(renewed, subject))) {
      log.info({ person }, 'the sign-in provider renews a session no longer: it ends')
      return announce(await openIdSessions.endRefused(due))
    }
    const { role, isKnown, hasClaim, refusal } = await provider.readRole(renewed, subject, tokens)
    if (!isKnown) log.warn({ person, ...refusal }, 'the sign-in provider repeats no role claim: the role stays')
    const result = isKnown ? await openIdSessions.applyRole(due, role) : null
    if (result?.refused === 'role') log.warn({ person, ...refusal }, 'the sign-in provider gives no role')
    if (result?.isLastAdmin) log.warn({ person }, LAST_ADMIN_MESSAGE)
    if (result) announce(result)
    const current = {
      ...stored,
      id_token: renewed.response.id_token ?? tokens.id_token,
      has_role_of_sign_in_only: tokens.has_role_of_sign_in_only && !hasClaim,
    }
    await openIdSessions.scheduleCheck(due, current, renewed.refreshExpiresIn)
  }

  #logRefusal(error: unknown, about: { person?: string }): null {
    if (!(error instanceof SignInRefusedError)) throw error
    const message = 'renew a session at the sign-in provider failed'
    this.#deps.log.warn({ why: error.reason, ...error.detail, ...about }, message)
    return null
  }
}

export const LAST_ADMIN_MESSAGE =
  'the provider takes the role of the last admin away: the person stays an admin, make somebody else one'
