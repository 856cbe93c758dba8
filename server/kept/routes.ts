import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Kept } from '#contract/kept.ts'
import { contract } from '#contract/index.ts'
import { Id } from '#contract/endpoint.ts'
import { ProblemError } from '#contract/problem.ts'
import { type Reach, SEEN, seenBy } from '../access/reach.ts'
import { requireInScope, requireWorkspace } from '../access/scope.ts'
import { where } from '../ledger/where.ts'
import { route } from '../plugins/route.ts'

interface KeptRow {
  id: string
  kind: Kept['kind']
  workspace_id: string
  about: string | null
  name: string
  value: unknown
  person: string | null
  created_at: Date
  updated_at: Date
}

const SELECT = 'SELECT kept.*, people.name AS person FROM kept LEFT JOIN people ON people.id = kept.person_id'

/** What people keep in the console: read and written by whoever may run something in the workspace. */
export function keptRoutes(app: FastifyInstance, pool: Pool): void {
  const { listKept, readKept, createKept, updateKept, deleteKept } = contract.console

  const found = async (id: string, reach: Reach): Promise<KeptRow> => {
    const { rows } = Id.safeParse(id).success
      ? await pool.query<KeptRow>(`${SELECT} WHERE kept.id = $1 AND ${seenBy('kept', 2)}`, [id, reach])
      : { rows: [] }
    return rows[0] ?? missing('There is nothing kept under this id.')
  }

  route(app, listKept, async ({ query }, { reach }) => {
    const { clause, values } = where([
      ['kept.workspace_id = ?', query.workspace],
      ['kept.kind = ?', query.kind],
      ['kept.about = ?', query.about],
      [SEEN.kept, reach ?? undefined],
    ])
    const { rows } = await pool.query<KeptRow>(`${SELECT} ${clause} ORDER BY kept.created_at DESC LIMIT 200`, values)
    return { data: rows.map(keptOf), total: rows.length }
  })

  route(app, readKept, async ({ params }, { reach }) => keptOf(await found(params.kept_id, reach)))

  route(app, createKept, async ({ body }, request) => {
    const { reach } = request
    await requireWorkspace(pool, body.workspace, reach)
    await requireInScope(pool, reach, { body: { about: body.about } })
    const id = randomUUID()
    await pool.query(
      `INSERT INTO kept(id, kind, workspace_id, about, name, value, person_id, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [
        id,
        body.kind,
        body.workspace,
        body.about ?? null,
        body.name,
        JSON.stringify(body.value ?? null),
        request.person?.id ?? null,
        new Date(),
      ],
    )
    return keptOf(await found(id, reach))
  })

  route(app, updateKept, async ({ params, body }, { reach }) => {
    const before = await found(params.kept_id, reach)
    await pool.query('UPDATE kept SET name = $2, value = $3, updated_at = $4 WHERE id = $1', [
      before.id,
      body.name ?? before.name,
      JSON.stringify(body.value === undefined ? before.value : body.value),
      new Date(),
    ])
    return keptOf(await found(before.id, reach))
  })

  route(app, deleteKept, async ({ params }, { reach }) => {
    const { id } = await found(params.kept_id, reach)
    await pool.query('DELETE FROM kept WHERE id = $1', [id])
    return { id }
  })
}

function missing(message: string): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message })
}

const keptOf = (row: KeptRow): Kept => ({
  id: row.id,
  kind: row.kind,
  workspace: row.workspace_id,
  about: row.about,
  name: row.name,
  value: row.value,
  person: row.person,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
