import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { z } from 'zod'
import type { Person, SignInMethods } from '#contract/console/access.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Role } from '#contract/permissions.ts'
import type { Database } from '../../db/database.ts'
import { isSameSecret } from '../../http/secretComparison.ts'
import { type LoginThrottle, TOKEN_SIGN_IN } from './loginThrottle.ts'
import { recordAudit } from '../audit/auditLog.ts'
import type { PauseBatches } from '../people.ts'
import { redeemLink } from './signInLinks.ts'
import { provisionUser, type ProvisioningResult, type SignInIdentity, findFreeName } from './provisioning.ts'
import type { PasswordHasher } from './passwords.ts'
import { PROXY_ISSUER } from './proxyUsers.ts'
import { HAS_ACCOUNT_SQL, type SessionStore, type SignedIn, type SignInMethod } from '../sessions.ts'
import { ADVISORY_LOCKS } from '../../db/advisoryLocks.ts'

export interface ClientInfo {
  address: string | null
  agent: string | null
}

export type NewSession = SignedIn & { token: string }

export interface SignInDeps {
  database: Database
  sessions: SessionStore
  passwords: PasswordHasher
  loginThrottle: LoginThrottle
  setupToken: string | undefined
  providerName: string | null
  pauseBatches: PauseBatches
  /** The role of a person whom a proxy signs in for the first time. */
  proxyRole: Role
}

export class SignInService {
  readonly #deps: SignInDeps

  constructor(parts: SignInDeps) {
    this.#deps = parts
  }

  /** @param cookie the session of the browser, which may have ended */
  async listMethods(proxy: string | null, cookie: string | null): Promise<z.output<typeof SignInMethods>> {
    const { database, providerName, sessions } = this.#deps
    const ended = cookie === null ? null : await sessions.findEndReason(cookie)
    return { password: await hasAccounts(database.pool), provider: providerName, proxy, ended }
  }

  /** @throws ProblemError 401, 429 after too many failures */
  async signInByToken(signInToken: string, clientInfo: ClientInfo): Promise<NewSession> {
    const { database, setupToken, loginThrottle } = this.#deps
    const isSetup = setupToken !== undefined && isSameSecret(signInToken, setupToken)
    // Scripts sign in concurrently with the right token: none of these attempts counts, but all respect a lockout.
    if (isSetup) await loginThrottle.requireUnlocked(TOKEN_SIGN_IN, clientInfo.address)
    else await loginThrottle.countAttempt(TOKEN_SIGN_IN, clientInfo.address)
    const token = await database.transaction(async (client) => {
      const setupAdmin = () => findOrCreateSetupAdmin(client, clientInfo.address)
      if (isSetup) return this.createSession(client, await setupAdmin(), 'setup', clientInfo)
      const redeemed = await redeemLink(client, signInToken)
      if (!redeemed) return null
      return redeemed.person_id === null
        ? this.createSession(client, await setupAdmin(), 'link', clientInfo)
        : this.createSession(client, redeemed.person_id, 'invitation', clientInfo)
    })
    if (token !== null) {
      await loginThrottle.reset(TOKEN_SIGN_IN, clientInfo.address)
      return this.getNewSession(token)
    }
    await this.recordRefusal('link', null, clientInfo)
    throw toDeniedError('The token is invalid, expired or already used.')
  }

  /** @throws ProblemError 401 with the same message for every cause, 429 after too many failures */
  async signInByPassword(
    { name, password }: { name: string; password: string },
    clientInfo: ClientInfo,
  ): Promise<NewSession> {
    const { database, passwords, loginThrottle } = this.#deps
    await loginThrottle.countAttempt(name, clientInfo.address)
    const { rows } = await database.pool.query<{ id: string; password: string | null }>(
      'SELECT id, password FROM people WHERE lower(name) = lower($1) AND disabled_at IS NULL',
      [name.trim()],
    )
    const stored = rows[0]?.password ?? null
    if (!(await passwords.verify(stored, password)) || !rows[0] || stored === null) {
      await this.recordRefusal('password', rows[0] ? name : null, clientInfo)
      throw toDeniedError('The name or password is wrong.')
    }
    await loginThrottle.reset(name, clientInfo.address)
    const { id } = rows[0]
    const newHash = passwords.needsRehash(stored) ? await passwords.hash(password) : stored
    const token = await database.transaction(async (client) => {
      if (newHash !== stored)
        await client.query('UPDATE people SET password = $2 WHERE id = $1 AND password = $3', [id, newHash, stored])
      return this.createSession(client, id, 'password', clientInfo)
    })
    return this.getNewSession(token)
  }

  /** @throws ProblemError 401 */
  async signInByProxy(user: string | null, clientInfo: ClientInfo): Promise<NewSession> {
    if (user === null) throw toDeniedError('No trusted proxy identified you.')
    const identity = { issuer: PROXY_ISSUER, subject: user, name: user }
    const result = await this.signInByIdentity(
      identity,
      'proxy',
      clientInfo,
      (before) => before ?? this.#deps.proxyRole,
    )
    if ('made' in result) return result.made
    throw toDeniedError('Your account is disabled. Ask an admin.')
  }

  /**
   * @param decideRole the new role, given the current one (null: a new person); null denies access
   * @param onSession called in the transaction that creates the session, with its token
   * @returns also the sessions and tokens to end, and the `ProvisioningResult`
   */
  async signInByIdentity(
    identity: SignInIdentity,
    method: 'oidc' | 'proxy',
    clientInfo: ClientInfo,
    decideRole: (before: Role | null) => Role | null,
    onSession?: (client: PoolClient, token: string) => Promise<void>,
  ): Promise<
    ({ made: NewSession } | { refused: 'role' | 'disabled' }) & Omit<ProvisioningResult, 'person' | 'refused'>
  > {
    const { database, sessions, pauseBatches } = this.#deps
    const { address } = clientInfo
    const result = await database.transaction(async (client) => {
      const { person, refused, ...changes } = await provisionUser(client, identity, decideRole, address, pauseBatches)
      if (!refused) {
        const token = await this.createSession(client, person, method, clientInfo)
        await onSession?.(client, token)
        return { token, changes }
      }
      const detail = { via: method, issuer: identity.issuer, why: refused }
      await recordAudit(client, { action: 'session.refused', label: identity.name, detail, address })
      return { refused, changes }
    })
    sessions.invalidateCache()
    return result.token === undefined
      ? { refused: result.refused, ...result.changes }
      : { made: await this.getNewSession(result.token), ...result.changes }
  }

  async signOut(session: string, person: Person | null, { address }: ClientInfo): Promise<void> {
    await this.#deps.database.transaction(async (client) => {
      // The lock of the audit log first, then the row: the order in which an admin ends sessions, too.
      await recordAudit(client, { action: 'session.ended', person, address })
      await client.query('DELETE FROM sessions WHERE id = $1', [session])
    })
    this.#deps.sessions.invalidateCache()
  }

  /** Creates a session within a transaction, and records it in the audit log. @returns the token for the cookie */
  async createSession(
    client: PoolClient,
    person_id: string,
    method: SignInMethod,
    clientInfo: ClientInfo,
  ): Promise<string> {
    const token = await this.#deps.sessions.create(client, person_id, { via: method, ...clientInfo })
    const { rows } = await client.query<{ id: string; name: string }>('SELECT id, name FROM people WHERE id = $1', [
      person_id,
    ])
    await recordAudit(client, {
      action: 'session.begun',
      person: rows[0] ?? null,
      detail: { via: method },
      address: clientInfo.address,
    })
    return token
  }

  async getNewSession(token: string): Promise<NewSession> {
    const found = await this.#deps.sessions.find(token)
    if (!found) throw new Error('a session that was just made is not there')
    return { ...found, token }
  }

  /** Only the name of an existing person is recorded: anything else in the field may be a password. */
  async recordRefusal(
    method: SignInMethod,
    name: string | null,
    { address }: ClientInfo,
    reason?: string,
  ): Promise<void> {
    await this.#deps.database.transaction((client) =>
      recordAudit(client, {
        action: 'session.refused',
        label: name,
        detail: { via: method, ...(reason ? { why: reason } : {}) },
        address,
      }),
    )
  }
}

export async function hasAccounts(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(`SELECT 1 FROM people WHERE ${HAS_ACCOUNT_SQL} LIMIT 1`)
  return rows.length > 0
}

const toDeniedError = (message: string) => new ProblemError({ kind: 'denied', status: 401, message })

const SETTING_NAME = 'setup_admin'

/**
 * The admin whom the server's link and SETUP_TOKEN sign in: always a person that this function created, never one found by
 * name, since people choose their names at their provider. Once that person has a password or an identity, the row is a real
 * account; a lower role or a disabled row is an admin's decision. In both cases the next call creates another person.
 * @returns the person's id
 */
async function findOrCreateSetupAdmin(client: PoolClient, address: string | null): Promise<string> {
  // Names are assigned under a lock, and two concurrent sign-ins create one person.
  await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.provisioning])
  const { rows } = await client.query<{ id: string }>(
    `SELECT people.id FROM people JOIN settings ON settings.value = people.id::text
     WHERE settings.name = $1 AND role = 'admin' AND disabled_at IS NULL AND NOT ${HAS_ACCOUNT_SQL}`,
    [SETTING_NAME],
  )
  if (rows[0]) return rows[0].id
  const id = randomUUID()
  const name = await findFreeName(client, 'admin')
  await client.query(`INSERT INTO people(id, name, role, default_user, created_at) VALUES ($1, $2, 'admin', $2, $3)`, [
    id,
    name,
    new Date(),
  ])
  await client.query(
    'INSERT INTO settings(name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [SETTING_NAME, id],
  )
  await recordAudit(client, { action: 'person.created', about: id, label: name, detail: { role: 'admin' }, address })
  return id
}
