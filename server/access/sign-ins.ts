import { timingSafeEqual } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Person } from '#contract/access.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Database } from '../database/database.ts'
import { firstAdmin, takeLink } from './links.ts'
import { HAS_ACCOUNT, hash, type Sessions, type SignedIn, type Via } from './sessions.ts'

export interface From {
  address: string | null
  agent: string | null
}

export type Made = SignedIn & { token: string }

/** How somebody comes in, and goes. */
export class SignIns {
  readonly #database: Database
  readonly #sessions: Sessions
  readonly #setup: string | undefined

  constructor(parts: { database: Database; sessions: Sessions; setup: string | undefined }) {
    this.#database = parts.database
    this.#sessions = parts.sessions
    this.#setup = parts.setup
  }

  async ways(): Promise<{ password: boolean; provider: string | null }> {
    return { password: await hasAccounts(this.#database.pool), provider: null }
  }

  /** By a one-time link, or by `SETUP_TOKEN`. @throws ProblemError 401 */
  async byToken(given: string, from: From): Promise<Made> {
    const isSetup =
      this.#setup !== undefined && timingSafeEqual(Buffer.from(hash(given)), Buffer.from(hash(this.#setup)))
    const token = await this.#database.transaction(async (client) => {
      const person_id = isSetup ? await firstAdmin(client) : await takeLink(client, given)
      return person_id === null ? null : this.begin(client, person_id, isSetup ? 'setup' : 'link', from)
    })
    return token === null ? refused('The token is used up, too old or not right.') : this.made(token)
  }

  /** By name and password. @throws ProblemError 401 */
  async byPassword(_given: { name: string; password: string }, _from: From): Promise<Made> {
    return refused('The name or the password is not right.')
  }

  async signOut(session: string, _person: Person | null, _from: From): Promise<void> {
    await this.#database.pool.query('DELETE FROM sessions WHERE id = $1', [session])
    this.#sessions.forget()
  }

  begin(client: PoolClient, person_id: string, via: Via, from: From): Promise<string> {
    return this.#sessions.begin(client, person_id, { via, ...from })
  }

  async made(token: string): Promise<Made> {
    const found = await this.#sessions.find(token)
    if (!found) throw new Error('a session that was just made is not there')
    return { ...found, token }
  }
}

/** True when somebody can come back by themselves: by a password or a provider. */
export async function hasAccounts(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(`SELECT 1 FROM people WHERE ${HAS_ACCOUNT} LIMIT 1`)
  return rows.length > 0
}

function refused(message: string): never {
  throw new ProblemError({ kind: 'denied', status: 401, message })
}
