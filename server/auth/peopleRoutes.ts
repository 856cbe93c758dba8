import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { AuditEvent } from '#contract/console/people.ts'
import { contract } from '#contract/index.ts'
import { toContainsPattern, toWhereClause } from '../db/sqlConditions.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { requireBrowserSession, requirePerson } from './accountRoutes.ts'
import type { Actor, PeopleStore } from './people.ts'
import type { SessionStore } from './sessions.ts'
import { queryReplies } from '../db/replyRows.ts'

export interface PeopleDeps {
  pool: Pool
  people: PeopleStore
  sessions: SessionStore
  endConnections: (sessions: readonly string[]) => void
  batchesPaused: (ids: readonly string[]) => void
}

export function registerPeopleRoutes(
  app: FastifyInstance,
  { pool, people, sessions, endConnections, batchesPaused }: PeopleDeps,
): void {
  const { listPeople, invitePerson, updatePerson, createPersonLink, signOutPerson, listAudit } = contract.console

  registerEndpoint(app, listPeople, async () => {
    const data = await people.list()
    return { data, total: data.length }
  })
  // Otherwise a token could create a session, or another admin, that outlives it.
  registerEndpoint(app, invitePerson, async ({ body }, request) => {
    await requireBrowserSession(request)
    return people.invite(body, toActor(request))
  })
  registerEndpoint(app, createPersonLink, async ({ params }, request) => {
    await requireBrowserSession(request)
    return people.createLink(params.person_id, toActor(request))
  })
  registerEndpoint(app, updatePerson, async ({ params, body }, request) => {
    // A script with a token may disable a person, but not grant anybody more rights.
    const { disabled, ...others } = body
    if (disabled !== true || Object.keys(others).length > 0) await requireBrowserSession(request)
    const { member, ended, narrowed, paused } = await people.update(params.person_id, body, toActor(request))
    sessions.invalidateCache()
    endConnections([...ended, ...narrowed])
    batchesPaused(paused)
    return member
  })
  registerEndpoint(app, signOutPerson, async ({ params }, request) => {
    const ended = await people.signOut(params.person_id, toActor(request))
    sessions.invalidateCache()
    endConnections(ended)
    return { id: params.person_id }
  })

  registerEndpoint(app, listAudit, async ({ query }) => {
    const { clause, values } = toWhereClause([
      ['seq < ?', query.before && Number(query.before)],
      [`action LIKE ? || '%'`, query.action?.replace(/[\\%_]/g, '\\$&')],
      ['(person ILIKE ? OR label ILIKE ?)', query.person && toContainsPattern(query.person)],
      ['about = ?', query.about],
      ['at >= ?', query.from],
      ['at < ?', query.to],
    ])
    const rows = await queryReplies<AuditEvent>(
      pool,
      `SELECT seq::float8 AS seq, at, action, person, workspace_id AS workspace, about, label, detail, address, hash FROM audit
       ${clause} ORDER BY audit.seq DESC LIMIT ${query.limit + 1}`,
      values,
    )
    const data = rows.slice(0, query.limit)
    return { data, next: rows.length > query.limit ? String(data.at(-1)?.seq) : null }
  })
}

export const toActor = (request: FastifyRequest): Actor => ({ person: requirePerson(request), address: request.ip })
