import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Person } from '#contract/access.ts'
import { type Post, silence } from '../database/post.ts'
import { type Reach, reachOf } from './reach.ts'

/** Milliseconds: a session ends after a week, or after eight hours without a request. */
const ABSOLUTE = 7 * 24 * 3600_000
const IDLE = 8 * 3600_000
/** How long a session is believed without asking the table again, and how often its last use is written. */
const BELIEVED = 2_000
const TOUCHED = 60_000

/** How somebody signed in: by the server's own link, an invitation, the setup token, a password, a provider, a proxy. */
export type Via = 'link' | 'invitation' | 'setup' | 'password' | 'oidc' | 'proxy'

export interface SignedIn {
  /** Names the session without giving its token. */
  id: string
  person: Person
  reach: Reach
  via: Via | 'token'
  /** Whether the person can come back: by a password or a provider. */
  has_account: boolean
  signed_in_at: Date
  expires_at: Date
}

interface Row extends Person {
  session: string
  via: Via
  narrowed: boolean
  has_account: boolean
  signed_in_at: Date
  expires_at: Date
  seen_at: Date
}

/** Sessions as opaque tokens; the table holds only their hashes. */
export class Sessions {
  readonly #pool: Pool
  readonly #known = new Map<string, SignedIn & { at: number }>()

  readonly #post: Post

  constructor(pool: Pool, post: Post = silence) {
    this.#pool = pool
    this.#post = post
    post.hear('rights', () => this.#known.clear())
  }

  /** @returns the token for the cookie: a new one with every sign-in. */
  async begin(
    client: Pool | PoolClient,
    person_id: string,
    given: { via: Via; address?: string | null; agent?: string | null },
  ): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    const now = new Date()
    await client.query('DELETE FROM sessions WHERE expires_at < $1 OR seen_at < $2', [
      now,
      new Date(now.getTime() - IDLE),
    ])
    await client.query(
      `INSERT INTO sessions(token, id, person_id, via, address, agent, created_at, seen_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8)`,
      [
        hash(token),
        randomUUID(),
        person_id,
        given.via,
        given.address ?? null,
        given.agent?.slice(0, 300) ?? null,
        now,
        new Date(now.getTime() + ABSOLUTE),
      ],
    )
    return token
  }

  async find(token: string): Promise<SignedIn | null> {
    const key = hash(token)
    const known = this.#known.get(key)
    if (known && Date.now() - known.at < BELIEVED) return known
    this.#known.delete(key)
    const { rows } = await this.#pool.query<Row>(
      `SELECT people.id, people.name, people.role, people.default_user, people.narrowed, sessions.id AS session,
         sessions.via, sessions.created_at AS signed_in_at, sessions.expires_at, sessions.seen_at, ${HAS_ACCOUNT} AS has_account
       FROM sessions JOIN people ON people.id = sessions.person_id
       WHERE token = $1 AND sessions.expires_at > $2 AND sessions.seen_at > $3 AND people.disabled_at IS NULL`,
      [key, new Date(), new Date(Date.now() - IDLE)],
    )
    if (!rows[0]) return null
    const { session, via, narrowed, has_account, signed_in_at, expires_at, seen_at, ...person } = rows[0]
    if (Date.now() - seen_at.getTime() > TOUCHED)
      await this.#pool.query('UPDATE sessions SET seen_at = $2 WHERE token = $1', [key, new Date()])
    // Whoever may grant is bound by no grant.
    const reach = narrowed && person.role !== 'admin' ? await reachOf(this.#pool, person.id) : null
    const found = { id: session, person, reach, via, has_account, signed_in_at, expires_at }
    if (this.#known.size > 10_000) this.#known.clear()
    this.#known.set(key, { ...found, at: Date.now() })
    return found
  }

  async end(token: string): Promise<void> {
    this.forget()
    await this.#pool.query('DELETE FROM sessions WHERE token = $1', [hash(token)])
  }

  /** What is believed is asked anew: somebody's rights have changed. */
  forget(): void {
    this.#known.clear()
    this.#post.say('rights', ['all'])
  }
}

/** Whether a person of `people` can come back without a link. */
export const HAS_ACCOUNT =
  '(people.password IS NOT NULL OR EXISTS (SELECT 1 FROM identities WHERE identities.person_id = people.id))'

export const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')
