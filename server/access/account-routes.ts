import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool, PoolClient } from 'pg'
import { FRESH_SIGN_IN_MINUTES, MAX_TOKEN_DAYS, type OpenSession, type Person } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { ROLES } from '#contract/roles.ts'
import type { Database } from '../database/database.ts'
import { checkRequest, route } from '../plugins/route.ts'
import type { Attempts } from './attempts.ts'
import { record } from './audit.ts'
import { isExternal } from './external-people.ts'
import { demandGood, type Passwords } from './passwords.ts'
import { demandFree } from './people.ts'
import { fromOf, setCookie, type Show } from './session-routes.ts'
import type { Sessions } from './sessions.ts'
import type { SignIns } from './sign-ins.ts'
import { makeToken, revokeTokens, tokensOf } from './tokens.ts'

export interface AccountParts {
  database: Database
  sessions: Sessions
  signIns: SignIns
  passwords: Passwords
  attempts: Attempts
  show: Show
  /** Ends what is open for these sessions. */
  leave: (sessions: readonly string[]) => void
}

interface SessionRow extends Omit<OpenSession, 'created_at' | 'seen_at' | 'expires_at' | 'current'> {
  created_at: Date
  seen_at: Date
  expires_at: Date
}

/** What somebody does with their own account. */
export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { database, sessions, signIns, passwords, attempts, show, leave } = parts
  const { pool } = database
  const { readAccount, updateAccount, setPassword, endSession, createToken, deleteToken } = contract.console

  route(app, readAccount, async (_input, request) => {
    const person = whoAsks(request)
    const { rows } = await pool.query<SessionRow>(
      `SELECT id, via, address, agent, created_at, seen_at, expires_at FROM sessions
       WHERE person_id = $1 AND expires_at > now() AND seen_at > now() - interval '8 hours' ORDER BY seen_at DESC LIMIT 200`,
      [person.id],
    )
    const has_password = (await passwordOf(pool, person.id)) !== null
    const is_elsewhere = await isExternal(pool, person.id)
    return {
      person,
      has_password,
      is_elsewhere,
      needs_fresh_sign_in: !has_password && !(await isFresh(request)),
      max_token_days: is_elsewhere ? MAX_TOKEN_DAYS.external : MAX_TOKEN_DAYS.local,
      sessions: rows.map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        seen_at: row.seen_at.toISOString(),
        expires_at: row.expires_at.toISOString(),
        current: row.id === request.session,
      })),
      tokens: await tokensOf(pool, person.id),
    }
  })

  route(app, updateAccount, async ({ body }, request) => {
    const person = whoAsks(request)
    await pool.query('UPDATE people SET default_user = $2 WHERE id = $1', [person.id, body.default_user])
    sessions.forget()
    return { ...person, default_user: body.default_user }
  })

  app.route({
    method: setPassword.method,
    url: setPassword.path,
    config: { permission: setPassword.permission, beforeAccount: true },
    handler: async (request, reply) => {
      const person = await bySession(request)
      const { body } = checkRequest(setPassword, request)
      const from = fromOf(request)
      const before = await passwordOf(pool, person.id)
      if (before !== null) await requirePassword(person, before, 'old', body.old, from.address)
      if (before === null && (await isExternal(pool, person.id)))
        throw badField('password', 'is kept where you sign in, not here', 409)
      const name = before === null ? (body.name ?? person.name) : person.name
      await demandGood(body.password, name)
      const stored = await passwords.hash(body.password)
      const { token, ended } = await database.transaction(async (client) => {
        await rename(client, person, name)
        await client.query('UPDATE people SET password = $2 WHERE id = $1', [person.id, stored])
        // What could still make somebody this person, or the first one, is of no use any more.
        await client.query('DELETE FROM links WHERE person_id = $1 OR person_id IS NULL', [person.id])
        const { rows } = await client.query<{ id: string }>('DELETE FROM sessions WHERE person_id = $1 RETURNING id', [
          person.id,
        ])
        const tokens = body.revoke_tokens ? await revokeTokens(client, person.id) : []
        await record(client, {
          action: 'account.password',
          person: { ...person, name },
          detail: { tokens_revoked: tokens.length },
          address: from.address,
        })
        const ended = [...rows.map(({ id }) => id), ...tokens]
        return { token: await signIns.begin(client, person.id, 'password', from), ended }
      })
      sessions.forget()
      leave(ended)
      const made = await signIns.made(token)
      setCookie(reply, token, made.expires_at)
      return show(made)
    },
  })

  route(app, endSession, async ({ params }, request) => {
    const person = whoAsks(request)
    const id = params.session_id
    await database.transaction(async (client) => {
      const { rowCount } = await client.query('DELETE FROM sessions WHERE id = $1 AND person_id = $2', [id, person.id])
      if (!rowCount) missing('session')
      await record(client, { action: 'session.ended', person, about: id, address: request.ip })
    })
    sessions.forget()
    leave([id])
    return { id }
  })

  route(app, createToken, async ({ body }, request) => {
    const person = await bySession(request)
    if (ROLES.indexOf(body.role) > ROLES.indexOf(person.role)) throw badField('role', 'is more than your own')
    const days = MAX_TOKEN_DAYS.external
    if (body.days > days && (await isExternal(pool, person.id)))
      throw badField('days', `must be at most ${days}: you sign in at a provider or through a proxy`)
    // A session that is left open, or stolen, for a minute is not enough for a token of a year.
    const stored = await passwordOf(pool, person.id)
    if (stored !== null) await requirePassword(person, stored, 'password', body.password, request.ip)
    else if (!(await isFresh(request)))
      throw denied(
        `Sign in again. A person without a password creates a token within ${FRESH_SIGN_IN_MINUTES} minutes of signing in.`,
      )
    return database.transaction(async (client) => {
      const made = await makeToken(client, person.id, body)
      const { id, name, role, expires_at } = made
      await record(client, {
        action: 'token.made',
        person,
        about: id,
        label: name,
        detail: { role, expires_at },
        address: request.ip,
      })
      return made
    })
  })

  /** @throws ProblemError 400 at the field, 429 after too many wrong ones: they count as sign-ins that failed */
  async function requirePassword(
    person: Person,
    stored: string,
    field: 'old' | 'password',
    password: string | undefined,
    address: string | null,
  ): Promise<void> {
    if (!password) throw badField(field, 'is required')
    await attempts.begin(person.name, address)
    if (!(await passwords.matches(stored, password))) throw badField(field, 'is not right')
    await attempts.succeeded(person.name, address)
  }

  route(app, deleteToken, async ({ params }, request) => {
    const person = whoAsks(request)
    const id = params.token_id
    await database.transaction(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'DELETE FROM access_tokens WHERE id = $1 AND person_id = $2 RETURNING name',
        [id, person.id],
      )
      if (!rows[0]) missing('token')
      await record(client, {
        action: 'token.revoked',
        person,
        about: id,
        label: rows[0]?.name ?? null,
        address: request.ip,
      })
    })
    leave([id])
    return { id }
  })
}

export function whoAsks(request: FastifyRequest): Person {
  if (!request.person) throw new Error('a route that needs a person was open')
  return request.person
}

/** A token of a script makes no more of itself. @throws ProblemError 403 */
export async function bySession(request: FastifyRequest): Promise<Person> {
  if ((await request.signedIn())?.via === 'token') throw denied('A token may not do this. Sign in with a browser.')
  return whoAsks(request)
}

/** Whether the session that asks began a moment ago. */
async function isFresh(request: FastifyRequest): Promise<boolean> {
  const found = await request.signedIn()
  if (!found || found.via === 'token') return false
  return Date.now() - found.signed_in_at.getTime() < FRESH_SIGN_IN_MINUTES * 60_000
}

const denied = (message: string) => new ProblemError({ kind: 'denied', status: 403, message })

async function passwordOf(pool: Pool, id: string): Promise<string | null> {
  const { rows } = await pool.query<{ password: string | null }>('SELECT password FROM people WHERE id = $1', [id])
  return rows[0]?.password ?? null
}

async function rename(client: PoolClient, person: Person, name: string): Promise<void> {
  if (name === person.name) return
  await demandFree(client, name, person.id)
  await client.query(
    'UPDATE people SET name = $2, default_user = CASE WHEN default_user = name THEN $2 ELSE default_user END WHERE id = $1',
    [person.id, name],
  )
}

const badField = (field: string, message: string, status = 400) =>
  new ProblemError({
    kind: 'invalid',
    status,
    message: `body.${field} ${message}`,
    fields: [{ path: `body.${field}`, message }],
  })

function missing(what: string): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: `There is no such ${what}.` })
}
