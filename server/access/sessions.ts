import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'
import type { Person } from '#contract/console.ts'

/** Milliseconds: a session ends after a week, or after eight hours without a request. */
const ABSOLUTE = 7 * 24 * 3600_000
const IDLE = 8 * 3600_000
const LINK_AGE = 30 * 60_000
/** How long a session is believed without asking the table again, and how often its last use is written. */
const BELIEVED = 2_000
const TOUCHED = 60_000

export interface SignedIn {
  person: Person
  expires_at: Date
}

/** Sessions as opaque tokens; the table holds only their hashes. */
export class Sessions {
  readonly #pool: Pool
  readonly #setup: string | undefined
  readonly #known = new Map<string, SignedIn & { at: number }>()

  constructor(pool: Pool, setupToken: string | undefined) {
    this.#pool = pool
    this.#setup = setupToken
  }

  /** A token that signs one person in, once, within half an hour. */
  async link(): Promise<string> {
    const token = `lp_${randomBytes(32).toString('base64url')}`
    await this.#pool.query('DELETE FROM links')
    await this.#pool.query('INSERT INTO links(token, expires_at) VALUES ($1, $2)', [
      hash(token),
      new Date(Date.now() + LINK_AGE),
    ])
    return token
  }

  /** @returns the token for the cookie, or null when the given one is wrong, used up or too old. */
  async signIn(given: string): Promise<({ token: string } & SignedIn) | null> {
    if (!(this.#isSetup(given) || (await this.#useLink(given)))) return null
    const person = await this.#admin()
    const token = randomBytes(32).toString('base64url')
    const expires_at = new Date(Date.now() + ABSOLUTE)
    await this.#pool.query('DELETE FROM sessions WHERE expires_at < $1 OR seen_at < $2', [
      new Date(),
      new Date(Date.now() - IDLE),
    ])
    await this.#pool.query(
      'INSERT INTO sessions(token, person_id, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $3, $4)',
      [hash(token), person.id, new Date(), expires_at],
    )
    return { token, person, expires_at }
  }

  /** What a session is called where its token has no business. */
  nameOf = (token: string): string => hash(token)

  async find(token: string): Promise<SignedIn | null> {
    const key = hash(token)
    const known = this.#known.get(key)
    if (known && Date.now() - known.at < BELIEVED) return known
    this.#known.delete(key)
    const { rows } = await this.#pool.query<Person & { expires_at: Date; seen_at: Date }>(
      `SELECT people.id, people.name, people.role, people.default_user, sessions.expires_at, sessions.seen_at
       FROM sessions JOIN people ON people.id = sessions.person_id
       WHERE token = $1 AND sessions.expires_at > $2 AND sessions.seen_at > $3`,
      [key, new Date(), new Date(Date.now() - IDLE)],
    )
    if (!rows[0]) return null
    const { expires_at, seen_at, ...person } = rows[0]
    if (Date.now() - seen_at.getTime() > TOUCHED)
      await this.#pool.query('UPDATE sessions SET seen_at = $2 WHERE token = $1', [key, new Date()])
    const found = { person, expires_at }
    if (this.#known.size > 10_000) this.#known.clear()
    this.#known.set(key, { ...found, at: Date.now() })
    return found
  }

  async signOut(token: string): Promise<void> {
    this.#known.delete(hash(token))
    await this.#pool.query('DELETE FROM sessions WHERE token = $1', [hash(token)])
  }

  #isSetup(given: string): boolean {
    return this.#setup !== undefined && timingSafeEqual(digest(given), digest(this.#setup))
  }

  async #useLink(given: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query('DELETE FROM links WHERE token = $1 AND expires_at > $2', [
      hash(given),
      new Date(),
    ])
    return rowCount === 1
  }

  /** The first admin, made when the first link is used. */
  async #admin(): Promise<Person> {
    await this.#pool.query(
      `INSERT INTO people(id, name, role, default_user, created_at) VALUES ($1, 'admin', 'admin', 'admin', $2) ON CONFLICT (name) DO NOTHING`,
      [randomUUID(), new Date()],
    )
    const { rows } = await this.#pool.query<Person>(
      `SELECT id, name, role, default_user FROM people WHERE name = 'admin'`,
    )
    if (!rows[0]) throw new Error('the first admin is not there')
    return rows[0]
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const hash = (text: string) => digest(text).toString('base64url')
