import ipaddr from 'ipaddr.js'
import type { Pool } from 'pg'
import { ProblemError } from '#contract/problem.ts'
import { sha256 } from '../sessions.ts'
import type { loginAttempts } from '../schema.ts'

/** After this many failures of an account from one network within the window, that network is locked for the same time. */
const MAX_FAILURES = 5
const WINDOW_MS = 15 * 60_000
/** Failures from all networks together only slow an account down, so that a stranger cannot lock its owner out. */
const SLOWDOWN_AFTER_FAILURES = 20
const MAX_SLOWDOWN_MS = 4_000
/** Rows that one sign-in deletes at most; it adds two. */
const PURGE_ROWS = 1_000

/** The account name for sign-ins by a link or SETUP_TOKEN, which name no account. */
export const TOKEN_SIGN_IN = Symbol('sign-in by a token')
type Account = string | typeof TOKEN_SIGN_IN

type AttemptRow = Pick<typeof loginAttempts.$inferSelect, 'failures' | 'locked_until'>

/**
 * Counts failed sign-ins in the table, so that a restart resets nothing. An attempt counts as a failure until it has
 * succeeded, so that concurrent attempts are counted separately.
 */
export class LoginThrottle {
  readonly #pool: Pool
  readonly #wait: (ms: number) => Promise<unknown>

  constructor(pool: Pool, wait: (ms: number) => Promise<unknown> = sleep) {
    this.#pool = pool
    this.#wait = wait
  }

  /** @throws ProblemError 429 while the account is locked for that network */
  async countAttempt(account: Account, address: string | null): Promise<void> {
    await this.#purge()
    const { locked_until } = await this.#count(toAttemptKey(account, address), MAX_FAILURES)
    if (locked_until) throw lockedUntil(locked_until)
    const { failures } = await this.#count(toAttemptKey(account, null), Number.MAX_SAFE_INTEGER)
    if (failures > SLOWDOWN_AFTER_FAILURES)
      await this.#wait(Math.min(MAX_SLOWDOWN_MS, 100 * (failures - SLOWDOWN_AFTER_FAILURES)))
  }

  /** Checks without counting. @throws ProblemError 429 while the account is locked for that network */
  async requireUnlocked(account: Account, address: string | null): Promise<void> {
    const { rows } = await this.#pool.query<{ locked_until: Date }>(
      'SELECT locked_until FROM login_attempts WHERE about = $1 AND locked_until > $2',
      [toAttemptKey(account, address), new Date()],
    )
    if (rows[0]) throw lockedUntil(rows[0].locked_until)
  }

  async reset(account: Account, address: string | null): Promise<void> {
    await this.#pool.query('DELETE FROM login_attempts WHERE about = ANY($1)', [
      [toAttemptKey(account, address), toAttemptKey(account, null)],
    ])
  }

  /** Deletes expired rows. Rows locked by another sign-in are skipped. */
  async #purge(): Promise<void> {
    const now = Date.now()
    await this.#pool.query(
      `DELETE FROM login_attempts WHERE about IN (
         SELECT about FROM login_attempts WHERE first_at <= $1 AND (locked_until IS NULL OR locked_until <= $2)
         ORDER BY first_at LIMIT ${PURGE_ROWS} FOR UPDATE SKIP LOCKED)`,
      [new Date(now - WINDOW_MS), new Date(now)],
    )
  }

  async #count(attemptKey: string, maxFailures: number): Promise<AttemptRow> {
    const now = Date.now()
    const { rows } = await this.#pool.query<AttemptRow>(
      `INSERT INTO login_attempts AS before (about, failures, first_at) VALUES ($1, 1, $2)
       ON CONFLICT (about) DO UPDATE SET
         failures = CASE WHEN before.locked_until > $2 THEN before.failures WHEN before.first_at > $3 THEN before.failures + 1 ELSE 1 END,
         first_at = CASE WHEN before.locked_until > $2 OR before.first_at > $3 THEN before.first_at ELSE $2 END,
         locked_until = CASE WHEN before.locked_until > $2 THEN before.locked_until
           WHEN before.first_at > $3 AND before.failures >= $4::bigint THEN $5::timestamptz END
       RETURNING failures, locked_until`,
      [attemptKey, new Date(now), new Date(now - WINDOW_MS), maxFailures, new Date(now + WINDOW_MS)],
    )
    return rows[0] ?? { failures: 1, locked_until: null }
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function lockedUntil(time: Date): ProblemError {
  const retry_after = Math.max(1, Math.ceil((time.getTime() - Date.now()) / 1000))
  const message = `Too many sign-ins have failed. Wait ${Math.ceil(retry_after / 60)} min.`
  return new ProblemError({ kind: 'denied', status: 429, message, retry_after })
}

/** Hashed: a password typed into the name field by mistake must not be stored. */
function toAttemptKey(account: Account, address: string | null): string {
  // A trimmed name never begins with a line break.
  const name = account === TOKEN_SIGN_IN ? '\ntoken' : account.trim().toLowerCase()
  return sha256(`${name}\n${address === null ? '' : toNetworkPrefix(address)}`)
}

/** The /24 of an IPv4 address, the /64 of an IPv6 one. */
export function toNetworkPrefix(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const one = ipaddr.process(address)
  return one.kind() === 'ipv4'
    ? one.toByteArray().slice(0, 3).join('.')
    : (one as ipaddr.IPv6).parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')
}
