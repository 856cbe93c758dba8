import { timingSafeEqual } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { z } from 'zod'
import type { Person, Ways } from '#contract/access.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Role } from '#contract/roles.ts'
import type { Database } from '../database/database.ts'
import { type Attempts, TOKEN_SIGN_IN } from './attempts.ts'
import { record } from './audit.ts'
import { takeLink } from './links.ts'
import { admit, type Admitted, type Identity } from './newcomers.ts'
import type { Passwords } from './passwords.ts'
import { PROXY } from './proxy.ts'
import { findOrCreateSetupAdmin } from './setup-admin.ts'
import { HAS_ACCOUNT, hash, type Sessions, type SignedIn, type Via } from './sessions.ts'

/** Where a request comes from, as it is written down. */
export interface From {
  address: string | null
  agent: string | null
}

export type Made = SignedIn & { token: string }

export interface SignInParts {
  database: Database
  sessions: Sessions
  passwords: Passwords
  attempts: Attempts
  setup: string | undefined
  /** What the OpenID provider is called; null without one. */
  provider: string | null
  /** The role of somebody whom a proxy brings for the first time. */
  proxyRole: Role
}

/** How somebody comes in, and goes. */
export class SignIns {
  readonly #parts: SignInParts

  constructor(parts: SignInParts) {
    this.#parts = parts
  }

  async ways(proxy: string | null): Promise<z.output<typeof Ways>> {
    const { database, provider } = this.#parts
    return { password: await hasAccounts(database.pool), provider, proxy }
  }

  /** By a one-time link, or by `SETUP_TOKEN`. @throws ProblemError 401, 429 after too many wrong ones */
  async byToken(given: string, from: From): Promise<Made> {
    const { database, setup, attempts } = this.#parts
    const isSetup = setup !== undefined && timingSafeEqual(Buffer.from(hash(given)), Buffer.from(hash(setup)))
    // Scripts sign in by the right token many at a time: none of them counts, and all of them obey a lock.
    if (isSetup) await attempts.requireUnlocked(TOKEN_SIGN_IN, from.address)
    else await attempts.begin(TOKEN_SIGN_IN, from.address)
    const token = await database.transaction(async (client) => {
      const setupAdmin = () => findOrCreateSetupAdmin(client, from.address)
      if (isSetup) return this.begin(client, await setupAdmin(), 'setup', from)
      const taken = await takeLink(client, given)
      if (!taken) return null
      return taken.person_id === null
        ? this.begin(client, await setupAdmin(), 'link', from)
        : this.begin(client, taken.person_id, 'invitation', from)
    })
    if (token !== null) {
      await attempts.succeeded(TOKEN_SIGN_IN, from.address)
      return this.made(token)
    }
    await this.refused('link', null, from)
    throw denied('The token is used up, too old or not right.')
  }

  /** By name and password. @throws ProblemError 401 in the same words whatever is wrong, 429 after too many of them */
  async byPassword({ name, password }: { name: string; password: string }, from: From): Promise<Made> {
    const { database, passwords, attempts } = this.#parts
    await attempts.begin(name, from.address)
    const { rows } = await database.pool.query<{ id: string; password: string | null }>(
      'SELECT id, password FROM people WHERE lower(name) = lower($1) AND disabled_at IS NULL',
      [name.trim()],
    )
    const stored = rows[0]?.password ?? null
    if (!(await passwords.matches(stored, password)) || !rows[0] || stored === null) {
      await this.refused('password', rows[0] ? name : null, from)
      throw denied('The name or the password is not right.')
    }
    await attempts.succeeded(name, from.address)
    const { id } = rows[0]
    const fresh = passwords.isOld(stored) ? await passwords.hash(password) : stored
    const token = await database.transaction(async (client) => {
      if (fresh !== stored)
        await client.query('UPDATE people SET password = $2 WHERE id = $1 AND password = $3', [id, fresh, stored])
      return this.begin(client, id, 'password', from)
    })
    return this.made(token)
  }

  /** As the one whom a trusted proxy says this is. @throws ProblemError 401 */
  async byProxy(user: string | null, from: From): Promise<Made> {
    if (user === null) throw denied('No trusted proxy says who this is.')
    const identity = { issuer: PROXY, subject: user, name: user }
    const came = await this.byIdentity(identity, 'proxy', from, (before) => before ?? this.#parts.proxyRole)
    if ('made' in came) return came.made
    throw denied('This person is disabled here. Ask an admin.')
  }

  /**
   * By who somebody is elsewhere.
   * @param roleAfter the role that they now have, given the one before (null: new here); null lets them not in
   * @returns also what was signed in as them and has to end, and what `Admitted` says of batches and the last admin
   */
  async byIdentity(
    identity: Identity,
    via: 'oidc' | 'proxy',
    from: From,
    roleAfter: (before: Role | null) => Role | null,
  ): Promise<({ made: Made } | { refused: 'role' | 'disabled' }) & Omit<Admitted, 'person' | 'refused'>> {
    const { database, sessions } = this.#parts
    const came = await database.transaction(async (client) => {
      const { person, refused, ...changes } = await admit(client, identity, roleAfter, from.address)
      if (!refused) return { token: await this.begin(client, person, via, from), changes }
      const detail = { via, issuer: identity.issuer, why: refused }
      await record(client, { action: 'session.refused', label: identity.name, detail, address: from.address })
      return { refused, changes }
    })
    sessions.forget()
    return came.token === undefined
      ? { refused: came.refused, ...came.changes }
      : { made: await this.made(came.token), ...came.changes }
  }

  async signOut(session: string, person: Person | null, { address }: From): Promise<void> {
    await this.#parts.database.transaction(async (client) => {
      await client.query('DELETE FROM sessions WHERE id = $1', [session])
      await record(client, { action: 'session.ended', person, address })
    })
    this.#parts.sessions.forget()
  }

  /** Begins a session within a transaction, and writes it down. @returns the token for the cookie */
  async begin(client: PoolClient, person_id: string, via: Via, from: From): Promise<string> {
    const token = await this.#parts.sessions.begin(client, person_id, { via, ...from })
    const { rows } = await client.query<{ id: string; name: string }>('SELECT id, name FROM people WHERE id = $1', [
      person_id,
    ])
    await record(client, { action: 'session.begun', person: rows[0] ?? null, detail: { via }, address: from.address })
    return token
  }

  async made(token: string): Promise<Made> {
    const found = await this.#parts.sessions.find(token)
    if (!found) throw new Error('a session that was just made is not there')
    return { ...found, token }
  }

  /** A name is written down only where it is somebody's: what else is typed there may be a password. */
  async refused(via: Via, name: string | null, { address }: From, why?: string): Promise<void> {
    await this.#parts.database.transaction((client) =>
      record(client, { action: 'session.refused', label: name, detail: { via, ...(why ? { why } : {}) }, address }),
    )
  }
}

/** True when somebody can come back without a link: by a password or a provider. */
export async function hasAccounts(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(`SELECT 1 FROM people WHERE ${HAS_ACCOUNT} LIMIT 1`)
  return rows.length > 0
}

const denied = (message: string) => new ProblemError({ kind: 'denied', status: 401, message })
