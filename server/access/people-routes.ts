import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { AuditEvent } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { like, where } from '../ledger/where.ts'
import { route } from '../plugins/route.ts'
import { bySession, whoAsks } from './account-routes.ts'
import type { By, People } from './people.ts'
import type { Sessions } from './sessions.ts'

export interface PeopleParts {
  pool: Pool
  people: People
  sessions: Sessions
  /** Ends what is open for these sessions. */
  leave: (sessions: readonly string[]) => void
  /** Tells the servers that work on these batches. */
  batchesPaused: (ids: readonly string[]) => void
}

/** People, and the record of what was done. */
export function peopleRoutes(
  app: FastifyInstance,
  { pool, people, sessions, leave, batchesPaused }: PeopleParts,
): void {
  const { listPeople, invitePerson, updatePerson, linkPerson, signOutPerson, listAudit } = contract.console

  route(app, listPeople, async () => {
    const data = await people.list()
    return { data, total: data.length }
  })
  // A token could otherwise make itself a session, or another admin, that outlives it.
  route(app, invitePerson, async ({ body }, request) => {
    await bySession(request)
    return people.invite(body, byOf(request))
  })
  route(app, linkPerson, async ({ params }, request) => {
    await bySession(request)
    return people.link(params.person_id, byOf(request))
  })
  route(app, updatePerson, async ({ params, body }, request) => {
    const { member, ended, narrowed, paused } = await people.update(params.person_id, body, byOf(request))
    sessions.forget()
    leave([...ended, ...narrowed])
    batchesPaused(paused)
    return member
  })
  route(app, signOutPerson, async ({ params }, request) => {
    const ended = await people.signOut(params.person_id, byOf(request))
    sessions.forget()
    leave(ended)
    return { id: params.person_id }
  })

  route(app, listAudit, async ({ query }) => {
    const { clause, values } = where([
      ['seq < ?', query.before && Number(query.before)],
      [`action LIKE ? || '%'`, query.action?.replace(/[\\%_]/g, '\\$&')],
      ['(person ILIKE ? OR label ILIKE ?)', query.person && like(query.person)],
      ['about = ?', query.about],
      ['at >= ?', query.from],
      ['at < ?', query.to],
    ])
    const { rows } = await pool.query<AuditRow>(
      `SELECT seq, at, action, person, workspace_id AS workspace, about, label, detail, address, hash FROM audit
       ${clause} ORDER BY seq DESC LIMIT ${query.limit + 1}`,
      values,
    )
    const data = rows.slice(0, query.limit).map((row) => ({ ...row, seq: Number(row.seq), at: row.at.toISOString() }))
    return { data, next: rows.length > query.limit ? String(data.at(-1)?.seq) : null }
  })
}

interface AuditRow extends Omit<AuditEvent, 'seq' | 'at'> {
  seq: string
  at: Date
}

/** Who does it, and from where, for the record. */
export const byOf = (request: FastifyRequest): By => ({ person: whoAsks(request), address: request.ip })
