import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool, PoolClient } from 'pg'
import { FRESH_SIGN_IN_MINUTES, MAX_TOKEN_DAYS, type Person } from '#contract/console/access.ts'
import type { OpenSession } from '#contract/console/people.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { ROLES } from '#contract/permissions.ts'
import type { Database } from '../db/database.ts'
import { checkRequest, registerEndpoint } from '../http/endpointRoute.ts'
import type { LoginThrottle } from './signIn/loginThrottle.ts'
import { recordAudit } from './audit/auditLog.ts'
import { hasExternalIdentity } from './signIn/externalIdentities.ts'
import { requireStrongPassword, type PasswordHasher } from './signIn/passwords.ts'
import { requireFreeName } from './people.ts'
import { toClientInfo, setSessionCookie, type ToSession } from './sessionRoutes.ts'
import type { SessionStore } from './sessions.ts'
import type { SignInService } from './signIn/signInService.ts'
import { createAccessToken, revokeTokens, listAccessTokens } from './accessTokens.ts'
import { queryReplies } from '../db/replyRows.ts'

export interface AccountDeps {
  database: Database
  sessions: SessionStore
  signIns: SignInService
  passwords: PasswordHasher
  loginThrottle: LoginThrottle
  toSession: ToSession
  /** Closes the connections of these sessions. */
  endConnections: (sessions: readonly string[]) => void
}

export function registerAccountRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerProfileRoutes(app, deps)
  registerPasswordRoute(app, deps)
  registerOwnSessionRoute(app, deps)
  registerTokenRoutes(app, deps)
}

function registerProfileRoutes(app: FastifyInstance, { database, sessions }: AccountDeps): void {
  const { pool } = database
  const { readAccount, updateAccount } = contract.console

  registerEndpoint(app, readAccount, async (_input, request) => {
    const person = requirePerson(request)
    const openSessions = await queryReplies<Omit<OpenSession, 'current'>>(
      pool,
      `SELECT id, via, address, agent, created_at, seen_at, expires_at FROM sessions
       WHERE person_id = $1 AND expires_at > now() AND seen_at > now() - interval '8 hours' ORDER BY seen_at DESC LIMIT 200`,
      [person.id],
    )
    const has_password = (await findPasswordHash(pool, person.id)) !== null
    const is_external = await hasExternalIdentity(pool, person.id)
    return {
      person,
      has_password,
      is_external,
      needs_fresh_sign_in: !has_password && !(await isRecentSignIn(request)),
      max_token_days: is_external ? MAX_TOKEN_DAYS.external : MAX_TOKEN_DAYS.local,
      sessions: openSessions.map((session) => ({ ...session, current: session.id === request.sessionId })),
      tokens: await listAccessTokens(pool, person.id),
    }
  })

  registerEndpoint(app, updateAccount, async ({ body }, request) => {
    const person = requirePerson(request)
    await pool.query('UPDATE people SET default_user = $2 WHERE id = $1', [person.id, body.default_user])
    sessions.invalidateCache()
    return { ...person, default_user: body.default_user }
  })
}

function registerPasswordRoute(app: FastifyInstance, deps: AccountDeps): void {
  const { database, sessions, signIns, passwords, toSession, endConnections } = deps
  const { pool } = database
  const { setPassword } = contract.console

  app.route({
    method: setPassword.method,
    url: setPassword.path,
    config: { permission: setPassword.permission, beforeAccount: true },
    handler: async (request, reply) => {
      const person = await requireBrowserSession(request)
      const { body } = checkRequest(setPassword, request)
      const clientInfo = toClientInfo(request)
      const currentHash = await findPasswordHash(pool, person.id)
      // A person who used a link has lost the old password.
      if (currentHash !== null && (await request.findSignedIn())?.method !== 'invitation')
        await requirePassword(deps, person, currentHash, 'old', body.old, clientInfo.address)
      if (currentHash === null && (await hasExternalIdentity(pool, person.id)))
        throw toFieldError('password', 'is managed by your sign-in provider', 409)
      const name = currentHash === null ? (body.name ?? person.name) : person.name
      await requireStrongPassword(body.password, name)
      const stored = await passwords.hash(body.password)
      const { token, ended } = await database.transaction(async (client) => {
        await renamePerson(client, person, name)
        await client.query('UPDATE people SET password = $2 WHERE id = $1', [person.id, stored])
        // Invalidates every link that could still sign in as this person, or as the first admin.
        await client.query('DELETE FROM sign_in_links WHERE person_id = $1 OR person_id IS NULL', [person.id])
        const { rows } = await client.query<{ id: string }>('DELETE FROM sessions WHERE person_id = $1 RETURNING id', [
          person.id,
        ])
        const tokens = body.revoke_tokens ? await revokeTokens(client, person.id) : []
        await recordAudit(client, {
          action: 'account.password',
          person: { ...person, name },
          detail: { tokens_revoked: tokens.length },
          address: clientInfo.address,
        })
        const ended = [...rows.map(({ id }) => id), ...tokens]
        return { token: await signIns.createSession(client, person.id, 'password', clientInfo), ended }
      })
      sessions.invalidateCache()
      endConnections(ended)
      const newSession = await signIns.getNewSession(token)
      setSessionCookie(reply, token, newSession.expires_at)
      return toSession(newSession)
    },
  })
}

function registerOwnSessionRoute(app: FastifyInstance, { database, sessions, endConnections }: AccountDeps): void {
  registerEndpoint(app, contract.console.endSession, async ({ params }, request) => {
    const person = requirePerson(request)
    const id = params.session_id
    await database.transaction(async (client) => {
      const { rowCount } = await client.query('DELETE FROM sessions WHERE id = $1 AND person_id = $2', [id, person.id])
      if (!rowCount) throwNotFound('session')
      await recordAudit(client, { action: 'session.ended', person, about: id, address: request.ip })
    })
    sessions.invalidateCache()
    endConnections([id])
    return { id }
  })
}

function registerTokenRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, endConnections } = deps
  const { pool } = database
  const { createToken, deleteToken } = contract.console

  registerEndpoint(app, createToken, async ({ body }, request) => {
    const person = await requireBrowserSession(request)
    if (ROLES.indexOf(body.role) > ROLES.indexOf(person.role)) throw toFieldError('role', 'is more than your own')
    const days = MAX_TOKEN_DAYS.external
    if (body.days > days && (await hasExternalIdentity(pool, person.id)))
      throw toFieldError('days', `must be at most ${days}: you sign in at a provider or through a proxy`)
    // A session left open or stolen for a minute must not be enough to create a token for a year.
    const stored = await findPasswordHash(pool, person.id)
    if (stored !== null) await requirePassword(deps, person, stored, 'password', body.password, request.ip)
    else if (!(await isRecentSignIn(request)))
      throw toDeniedError(
        `Sign in again. A person without a password creates a token within ${FRESH_SIGN_IN_MINUTES} minutes of signing in.`,
      )
    return database.transaction(async (client) => {
      const newSession = await createAccessToken(client, person.id, body)
      const { id, name, role, expires_at } = newSession
      await recordAudit(client, {
        action: 'token.made',
        person,
        about: id,
        label: name,
        detail: { role, expires_at },
        address: request.ip,
      })
      return newSession
    })
  })

  registerEndpoint(app, deleteToken, async ({ params }, request) => {
    const person = requirePerson(request)
    const id = params.token_id
    await database.transaction(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'DELETE FROM access_tokens WHERE id = $1 AND person_id = $2 RETURNING name',
        [id, person.id],
      )
      if (!rows[0]) throwNotFound('token')
      await recordAudit(client, {
        action: 'token.revoked',
        person,
        about: id,
        label: rows[0]?.name ?? null,
        address: request.ip,
      })
    })
    endConnections([id])
    return { id }
  })
}

/** @throws ProblemError 400 at the field, 429 after too many failures: they count as failed sign-ins */
async function requirePassword(
  { loginThrottle, passwords }: AccountDeps,
  person: Person,
  stored: string,
  field: 'old' | 'password',
  password: string | undefined,
  address: string | null,
): Promise<void> {
  if (!password) throw toFieldError(field, 'is required')
  await loginThrottle.countAttempt(person.name, address)
  if (!(await passwords.verify(stored, password))) throw toFieldError(field, 'is not right')
  await loginThrottle.reset(person.name, address)
}

export function requirePerson(request: FastifyRequest): Person {
  if (!request.person) throw new Error('a route that needs a person was open')
  return request.person
}

/** An access token cannot create further tokens. @throws ProblemError 403 */
export async function requireBrowserSession(request: FastifyRequest): Promise<Person> {
  if ((await request.findSignedIn())?.method === 'token')
    throw toDeniedError('An access token cannot do this. Sign in with a browser.')
  return requirePerson(request)
}

async function isRecentSignIn(request: FastifyRequest): Promise<boolean> {
  const found = await request.findSignedIn()
  if (!found || found.method === 'token') return false
  return Date.now() - found.signed_in_at.getTime() < FRESH_SIGN_IN_MINUTES * 60_000
}

const toDeniedError = (message: string) => new ProblemError({ kind: 'denied', status: 403, message })

async function findPasswordHash(pool: Pool, id: string): Promise<string | null> {
  const { rows } = await pool.query<{ password: string | null }>('SELECT password FROM people WHERE id = $1', [id])
  return rows[0]?.password ?? null
}

async function renamePerson(client: PoolClient, person: Person, name: string): Promise<void> {
  if (name === person.name) return
  await requireFreeName(client, name, person.id)
  await client.query(
    'UPDATE people SET name = $2, default_user = CASE WHEN default_user = name THEN $2 ELSE default_user END WHERE id = $1',
    [person.id, name],
  )
}

const toFieldError = (field: string, message: string, status = 400) =>
  new ProblemError({
    kind: 'invalid',
    status,
    message: `body.${field} ${message}`,
    fields: [{ path: `body.${field}`, message }],
  })

function throwNotFound(what: string): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: `The ${what} was not found.` })
}
