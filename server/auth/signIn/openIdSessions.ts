import type { Pool, PoolClient } from 'pg'
import type { Role } from '#contract/permissions.ts'
import type { Database } from '../../db/database.ts'
import { lockForSealing } from '../../db/sealedTables.ts'
import { recordAudit } from '../audit/auditLog.ts'
import type { PauseBatches } from '../people.ts'
import { type SessionStore, IDLE_TIMEOUT_MS, sha256 } from '../sessions.ts'
import type { LogoutToken, ProviderSignIn, ProviderTokens } from './openIdProvider.ts'
import { provisionUser, type ProvisioningResult } from './provisioning.ts'

/** Milliseconds between two checks of a session, or half the life of its refresh token if that is shorter. */
const CHECK_INTERVAL_MS = 3600_000
const MIN_CHECK_INTERVAL_MS = 60_000
/** Milliseconds until the next attempt after one that failed, or whose server died; longer than any attempt takes. */
export const CHECK_RETRY_MS = 5 * 60_000

/** The envelopes of the vault, which is built on this folder; null where they cannot be created or opened. */
export interface SessionTokenEncryption {
  sealSessionTokens: (session_token: string, value: string) => string | null
  openSessionTokens: (session_token: string, sealed: string) => string | null
}

export interface OpenIdSessionDeps {
  database: Database
  sessions: SessionStore
  encryption: SessionTokenEncryption
  pauseBatches: PauseBatches
}

export interface DueSession {
  token: string
  person_id: string
  issuer: string
  subject: string
  sealed: string
  /** As claimed: until then only this server checks the session. */
  next_check_at: Date
}

export interface EndedSessions {
  ended: string[]
  paused: string[]
}

interface SessionOwner {
  token: string
  id: string
  person_id: string
  name: string
}

const NOTHING_ENDED: EndedSessions = { ended: [], paused: [] }

/** The sessions that began at an OpenID provider, with the tokens that it gave for them. */
export class OpenIdSessions {
  readonly #deps: OpenIdSessionDeps
  readonly #pool: Pool

  constructor(deps: OpenIdSessionDeps) {
    this.#deps = deps
    this.#pool = deps.database.pool
  }

  /** Adds a new session, in the transaction that creates it. @param cookie the session's token */
  async insert(
    client: PoolClient,
    cookie: string,
    { identity, sid, tokens, refreshExpiresIn }: ProviderSignIn,
  ): Promise<void> {
    const token = sha256(cookie)
    await lockForSealing(client, 'oidc_sessions')
    const sealed = this.#seal(token, tokens)
    const checkAt = sealed !== null && tokens.refresh_token !== null ? getNextCheck(refreshExpiresIn) : null
    await client.query(
      'INSERT INTO oidc_sessions(token, issuer, subject, sid, sealed, next_check_at) VALUES ($1, $2, $3, $4, $5, $6)',
      [token, identity.issuer, identity.subject, sid, sealed, checkAt],
    )
  }

  /**
   * The issuer and the ID token of a session (null where it is not stored); null for one that did not begin at a
   * provider.
   */
  async find(session_id: string): Promise<{ issuer: string; id_token: string | null } | null> {
    const { rows } = await this.#pool.query<{ token: string; issuer: string; sealed: string | null }>(
      `SELECT oidc_sessions.token, issuer, sealed FROM oidc_sessions
         JOIN sessions ON sessions.token = oidc_sessions.token WHERE sessions.id = $1`,
      [session_id],
    )
    const [row] = rows
    return row ? { issuer: row.issuer, id_token: this.openTokens(row)?.id_token ?? null } : null
  }

  /**
   * Ends the sessions that a logout token names; a session without a `sid` ends with any of its person. People
   * without a session left have their running batches paused.
   * @returns null for a token that was used before
   */
  async endByLogout({ issuer, sub, sid, jti, expires_at }: LogoutToken): Promise<EndedSessions | null> {
    const result = await this.#deps.database.transaction(async (client) => {
      await client.query('DELETE FROM oidc_logout_tokens WHERE expires_at < $1', [new Date()])
      const { rowCount } = await client.query(
        'INSERT INTO oidc_logout_tokens(id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [sha256(`${issuer} ${jti}`), expires_at],
      )
      if (!rowCount) return null
      const { rows } = await client.query<SessionOwner>(
        `SELECT sessions.token, sessions.id, people.id AS person_id, people.name FROM oidc_sessions
           JOIN sessions ON sessions.token = oidc_sessions.token JOIN people ON people.id = sessions.person_id
         WHERE issuer = $1 AND ($2::text IS NULL OR subject = $2)
           AND ($3::text IS NULL OR sid = $3 OR (sid IS NULL AND $2 IS NOT NULL))`,
        [issuer, sub, sid],
      )
      return this.#endSessions(client, rows, 'logout')
    })
    if (result && result.ended.length > 0) this.#deps.sessions.invalidateCache()
    return result
  }

  /** Ends a session that the provider no longer renews. Batches continue: its refresh token may only have expired. */
  async endRefused({ token, next_check_at }: DueSession): Promise<EndedSessions> {
    const result = await this.#deps.database.transaction(async (client) => {
      const { rows } = await client.query<SessionOwner>(
        `SELECT sessions.token, sessions.id, people.id AS person_id, people.name FROM oidc_sessions
           JOIN sessions ON sessions.token = oidc_sessions.token JOIN people ON people.id = sessions.person_id
         WHERE oidc_sessions.token = $1 AND next_check_at = $2`,
        [token, next_check_at],
      )
      return this.#endSessions(client, rows, 'refused')
    })
    this.#deps.sessions.invalidateCache()
    return result
  }

  async hasDue(now: Date): Promise<boolean> {
    const { rows } = await this.#pool.query(`SELECT 1 ${FROM_DUE} LIMIT 1`, [now, getIdleLimit(now)])
    return rows.length > 0
  }

  /** Claims due sessions: no other server checks them before `CHECK_RETRY_MS` has passed. */
  async claimDue(issuer: string, now: Date, limit: number): Promise<DueSession[]> {
    const { rows } = await this.#pool.query<DueSession>(
      `UPDATE oidc_sessions SET next_check_at = $3 FROM sessions
       WHERE sessions.token = oidc_sessions.token AND oidc_sessions.token IN (
         SELECT due.token ${FROM_DUE} AND issuer = $4 ORDER BY next_check_at LIMIT $5 FOR UPDATE OF due SKIP LOCKED)
       RETURNING sessions.token, person_id, issuer, subject, sealed, next_check_at`,
      [now, getIdleLimit(now), new Date(now.getTime() + CHECK_RETRY_MS), issuer, limit],
    )
    return rows
  }

  openTokens({ token, sealed }: { token: string; sealed: string | null }): ProviderTokens | null {
    const opened = sealed === null ? null : this.#deps.encryption.openSessionTokens(token, sealed)
    return opened === null ? null : (JSON.parse(opened) as ProviderTokens)
  }

  /**
   * Stores renewed tokens at once: the provider may no longer accept the old ones.
   * @returns false when the session ended meanwhile, or another server checks it
   */
  storeTokens(due: DueSession, tokens: ProviderTokens): Promise<boolean> {
    return this.#update(due, tokens, due.next_check_at)
  }

  async scheduleCheck(due: DueSession, tokens: ProviderTokens, refreshExpiresIn: number | null): Promise<void> {
    await this.#update(due, tokens, getNextCheck(refreshExpiresIn))
  }

  #update({ token, next_check_at }: DueSession, tokens: ProviderTokens, checkAt: Date): Promise<boolean> {
    return this.#deps.database.transaction(async (client) => {
      await lockForSealing(client, 'oidc_sessions')
      const { rowCount } = await client.query(
        'SELECT 1 FROM oidc_sessions WHERE token = $1 AND next_check_at = $2 FOR UPDATE',
        [token, next_check_at],
      )
      if (!rowCount) return false
      const sealed = this.#seal(token, tokens)
      await client.query('UPDATE oidc_sessions SET sealed = $2, next_check_at = $3 WHERE token = $1', [
        token,
        sealed,
        sealed === null ? null : checkAt,
      ])
      return true
    })
  }

  /**
   * Stops checking a session whose tokens cannot be opened; it continues until its usual end. A row that was sealed
   * again meanwhile is checked.
   */
  async stopChecks({ token, sealed }: DueSession): Promise<void> {
    await this.#pool.query('UPDATE oidc_sessions SET next_check_at = NULL WHERE token = $1 AND sealed = $2', [
      token,
      sealed,
    ])
  }

  async applyRole({ issuer, subject }: DueSession, role: Role | null): Promise<ProvisioningResult> {
    const { database, sessions, pauseBatches } = this.#deps
    const result = await database.transaction(async (client) => {
      const { rows } = await client.query<{ id: string; token: string }>(
        `SELECT sessions.id, sessions.token FROM sessions JOIN identities ON identities.person_id = sessions.person_id
         WHERE issuer = $1 AND subject = $2`,
        [issuer, subject],
      )
      const identity = { issuer, subject, name: subject }
      // A person who was deleted meanwhile is not created again.
      const decide = (existing: Role | null) => (existing === null ? null : role)
      const provisioned = await provisionUser(client, identity, decide, null, pauseBatches)
      const ended = rows.filter(({ id }) => provisioned.ended.includes(id))
      await sessions.recordEnd(
        client,
        ended.map(({ token }) => token),
        'role',
      )
      return provisioned
    })
    if (result.ended.length > 0) sessions.invalidateCache()
    return result
  }

  async #endSessions(
    client: PoolClient,
    owners: readonly SessionOwner[],
    why: 'logout' | 'refused',
  ): Promise<EndedSessions> {
    if (owners.length === 0) return NOTHING_ENDED
    const tokens = owners.map(({ token }) => token)
    // The audit log first: everywhere that sessions of people end, locks are taken in this order.
    for (const { id, person_id, name } of owners)
      await recordAudit(client, {
        action: 'session.ended',
        about: id,
        label: name,
        detail: { via: 'oidc', why, person: person_id },
      })
    await client.query('DELETE FROM sessions WHERE token = ANY($1)', [tokens])
    await this.#deps.sessions.recordEnd(client, tokens, 'provider')
    const paused: string[] = []
    const people = new Map(owners.map(({ person_id, name }) => [person_id, name]))
    if (why === 'logout')
      for (const [id, name] of people) paused.push(...(await this.#pauseWithoutSession(client, id, name)))
    return { ended: owners.map(({ id }) => id), paused }
  }

  async #pauseWithoutSession(client: PoolClient, person_id: string, name: string): Promise<string[]> {
    const now = new Date()
    const { rows } = await client.query(
      'SELECT 1 FROM sessions WHERE person_id = $1 AND expires_at > $2 AND seen_at > $3 LIMIT 1',
      [person_id, now, getIdleLimit(now)],
    )
    if (rows.length > 0) return []
    const reason = `${name} was signed out by the sign-in provider.`
    return this.#deps.pauseBatches(client, { person_id, isShutOut: true, reason }, { about: person_id, label: name })
  }

  #seal = (token: string, tokens: ProviderTokens): string | null =>
    this.#deps.encryption.sealSessionTokens(token, JSON.stringify(tokens))
}

/** Due sessions that are still open; $1 is now, $2 the time before which a session has been idle for too long. */
const FROM_DUE = `FROM oidc_sessions AS due JOIN sessions ON sessions.token = due.token
  JOIN people ON people.id = sessions.person_id
  WHERE next_check_at <= $1 AND sessions.expires_at > $1 AND sessions.seen_at > $2 AND people.disabled_at IS NULL`

const getIdleLimit = (now: Date): Date => new Date(now.getTime() - IDLE_TIMEOUT_MS)

function getNextCheck(refreshExpiresIn: number | null): Date {
  const halfLifeMs = refreshExpiresIn === null ? CHECK_INTERVAL_MS : refreshExpiresIn * 500
  return new Date(Date.now() + Math.min(CHECK_INTERVAL_MS, Math.max(MIN_CHECK_INTERVAL_MS, halfLifeMs)))
}
