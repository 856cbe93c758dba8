import { timingSafeEqual } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Person } from '#contract/access.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Database } from '../database/database.ts'
import type { Attempts } from './attempts.ts'
import { record } from './audit.ts'
import { firstAdmin, takeLink } from './links.ts'
import type { Passwords } from './passwords.ts'
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
}

/** How somebody comes in, and goes. */
export class SignIns {
  readonly #parts: SignInParts

  constructor(parts: SignInParts) {
    this.#parts = parts
  }

  async ways(): Promise<{ password: boolean; provider: string | null }> {
    return { password: await hasAccounts(this.#parts.database.pool), provider: null }
  }

  /** By a one-time link, or by `SETUP_TOKEN`. @throws ProblemError 401 */
  async byToken(given: string, from: From): Promise<Made> {
    const { database, setup } = this.#parts
    const isSetup = setup !== undefined && timingSafeEqual(Buffer.from(hash(given)), Buffer.from(hash(setup)))
    const token = await database.transaction(async (client) => {
      if (isSetup) return this.begin(client, await firstAdmin(client), 'setup', from)
      const taken = await takeLink(client, given)
      return taken && this.begin(client, taken.person_id, taken.via, from)
    })
    if (token !== null) return this.made(token)
    await this.#refused('link', null, from)
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
      await this.#refused('password', rows[0] ? name : null, from)
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
  async #refused(via: Via, name: string | null, { address }: From): Promise<void> {
    await this.#parts.database.transaction((client) =>
      record(client, { action: 'session.refused', label: name, detail: { via }, address }),
    )
  }
}

/** True when somebody can come back without a link: by a password or a provider. */
export async function hasAccounts(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(`SELECT 1 FROM people WHERE ${HAS_ACCOUNT} LIMIT 1`)
  return rows.length > 0
}

const denied = (message: string) => new ProblemError({ kind: 'denied', status: 401, message })
