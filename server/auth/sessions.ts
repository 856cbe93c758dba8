import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Person, SessionEndReason } from '#contract/console/access.ts'
import { type MessageBus, createNoMessageBus } from '../db/messageBus.ts'
import { type AccessScope, loadAccessScope } from './accessScope.ts'

/** Milliseconds: a session expires after a week, or after eight idle hours. */
const SESSION_TTL_MS = 7 * 24 * 3600_000
export const IDLE_TIMEOUT_MS = 8 * 3600_000
/** How long a session is cached before the table is read again, and how often its last use is written. */
const CACHE_TTL_MS = 2_000
const LAST_SEEN_INTERVAL_MS = 60_000

/** How long the reason of an ended session is kept for the sign-in page. */
const END_REASON_TTL_MS = SESSION_TTL_MS

/** The sign-in method: the server's own link, an invitation, the setup token, a password, a provider, a proxy. */
export type SignInMethod = 'link' | 'invitation' | 'setup' | 'password' | 'oidc' | 'proxy'

export interface SignedIn {
  /** Identifies the session without exposing its token. */
  id: string
  person: Person
  accessScope: AccessScope
  method: SignInMethod | 'token'
  /** Whether the person can sign in again, by a password or a provider. */
  has_account: boolean
  signed_in_at: Date
  expires_at: Date
}

interface SessionRow extends Person {
  session: string
  via: SignInMethod
  narrowed: boolean
  has_account: boolean
  signed_in_at: Date
  expires_at: Date
  seen_at: Date
}

/** Sessions as opaque tokens; the table holds only their hashes. */
export class SessionStore {
  readonly #pool: Pool
  /** Replaced by an empty one when rights change: a read that began earlier writes into the old one. */
  #cache = new Map<string, SignedIn & { at: number }>()

  readonly #messageBus: MessageBus

  constructor(pool: Pool, messageBus: MessageBus = createNoMessageBus()) {
    this.#pool = pool
    this.#messageBus = messageBus
    messageBus.subscribe('rights', () => this.#clearCache())
  }

  /** @returns the token for the cookie; every sign-in creates a new one. */
  async create(
    client: Pool | PoolClient,
    person_id: string,
    given: { via: SignInMethod; address?: string | null; agent?: string | null },
  ): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    const now = new Date()
    await client.query('DELETE FROM sessions WHERE expires_at < $1 OR seen_at < $2', [
      now,
      new Date(now.getTime() - IDLE_TIMEOUT_MS),
    ])
    await client.query(
      `INSERT INTO sessions(token, id, person_id, via, address, agent, created_at, seen_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8)`,
      [
        sha256(token),
        randomUUID(),
        person_id,
        given.via,
        given.address ?? null,
        given.agent?.slice(0, 300) ?? null,
        now,
        new Date(now.getTime() + SESSION_TTL_MS),
      ],
    )
    return token
  }

  async find(token: string): Promise<SignedIn | null> {
    const key = sha256(token)
    const cache = this.#cache
    const cached = cache.get(key)
    if (cached && Date.now() - cached.at < CACHE_TTL_MS) return cached
    cache.delete(key)
    const { rows } = await this.#pool.query<SessionRow>(
      `SELECT people.id, people.name, people.role, people.default_user, people.narrowed, sessions.id AS session,
         sessions.via, sessions.created_at AS signed_in_at, sessions.expires_at, sessions.seen_at, ${HAS_ACCOUNT_SQL} AS has_account
       FROM sessions JOIN people ON people.id = sessions.person_id
       WHERE token = $1 AND sessions.expires_at > $2 AND sessions.seen_at > $3 AND people.disabled_at IS NULL`,
      [key, new Date(), new Date(Date.now() - IDLE_TIMEOUT_MS)],
    )
    if (!rows[0]) return null
    const { session, via, narrowed, has_account, signed_in_at, expires_at, seen_at, ...person } = rows[0]
    if (Date.now() - seen_at.getTime() > LAST_SEEN_INTERVAL_MS)
      await this.#pool.query('UPDATE sessions SET seen_at = $2 WHERE token = $1', [key, new Date()])
    // Grants never restrict a person who can grant.
    const accessScope = narrowed && person.role !== 'admin' ? await loadAccessScope(this.#pool, person.id) : null
    const signedIn = { id: session, person, accessScope, method: via, has_account, signed_in_at, expires_at }
    if (cache.size > 10_000) cache.clear()
    cache.set(key, { ...signedIn, at: Date.now() })
    return signedIn
  }

  /** Records why sessions end, in the transaction that ends them. @param tokens as `sessions` holds them */
  async recordEnd(client: PoolClient, tokens: readonly string[], reason: SessionEndReason): Promise<void> {
    const now = new Date()
    await client.query('DELETE FROM ended_sessions WHERE ended_at < $1', [new Date(now.getTime() - END_REASON_TTL_MS)])
    await client.query(
      `INSERT INTO ended_sessions(token, reason, ended_at) SELECT token, $2, $3 FROM unnest($1::text[]) AS ended(token)
       ON CONFLICT (token) DO NOTHING`,
      [tokens, reason, now],
    )
  }

  /** Why the session of a cookie was ended; null while it lives, and where no reason was recorded. */
  async findEndReason(token: string): Promise<SessionEndReason | null> {
    const { rows } = await this.#pool.query<{ reason: SessionEndReason }>(
      'SELECT reason FROM ended_sessions WHERE token = $1',
      [sha256(token)],
    )
    return rows[0]?.reason ?? null
  }

  async delete(token: string): Promise<void> {
    await this.#pool.query('DELETE FROM sessions WHERE token = $1', [sha256(token)])
    this.invalidateCache()
  }

  invalidateCache(): void {
    this.#clearCache()
    this.#messageBus.publish('rights', ['all'])
  }

  #clearCache(): void {
    this.#cache = new Map()
  }
}

/** Whether a person of `people` can sign in again without a link. */
export const HAS_ACCOUNT_SQL =
  '(people.password IS NOT NULL OR EXISTS (SELECT 1 FROM identities WHERE identities.person_id = people.id))'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
