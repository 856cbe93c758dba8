import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { SavedItem } from '#contract/console/savedItems.ts'
import { contract } from '#contract/index.ts'
import { Id } from '#contract/endpoint.ts'
import { ProblemError } from '#contract/problem.ts'
import { type AccessScope, SCOPE_CONDITIONS, scopeFilter } from '../auth/accessScope.ts'
import { requirePartsInScope, requireWorkspace } from '../auth/resourceScope.ts'
import { copyBoardRounds, insertBoardBatch } from '../batches/savedBoards.ts'
import type { Database } from '../db/database.ts'
import { toWhereClause } from '../db/sqlConditions.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { queryReplies } from '../db/replyRows.ts'

const SELECT_SAVED_ITEM = `SELECT saved_items.id, kind, workspace_id AS workspace, about, saved_items.name, value, people.name AS person,
    saved_items.created_at, updated_at
  FROM saved_items LEFT JOIN people ON people.id = saved_items.person_id`

/** Saved items: visible to and editable by everybody who may run something in the workspace. */
export function registerSavedItemRoutes(app: FastifyInstance, database: Database): void {
  const { pool } = database
  const { listSavedItems, readSavedItem, createSavedItem, updateSavedItem, deleteSavedItem } = contract.console

  const getSavedItem = async (id: string, accessScope: AccessScope): Promise<SavedItem> => {
    const [item] = Id.safeParse(id).success
      ? await queryReplies<SavedItem>(
          pool,
          `${SELECT_SAVED_ITEM} WHERE saved_items.id = $1 AND ${scopeFilter('saved_items', 2)}`,
          [id, accessScope],
        )
      : []
    return item ?? throwNotFound('Saved item not found.')
  }

  registerEndpoint(app, listSavedItems, async ({ query }, { accessScope }) => {
    const { clause, values } = toWhereClause([
      ['saved_items.workspace_id = ?', query.workspace],
      ['saved_items.kind = ?', query.kind],
      ['saved_items.about = ?', query.about],
      [SCOPE_CONDITIONS.saved_items, accessScope ?? undefined],
    ])
    const data = await queryReplies<SavedItem>(
      pool,
      `${SELECT_SAVED_ITEM} ${clause} ORDER BY saved_items.created_at DESC LIMIT 200`,
      values,
    )
    return { data, total: data.length }
  })

  registerEndpoint(app, readSavedItem, ({ params }, { accessScope }) => getSavedItem(params.saved_item_id, accessScope))

  registerEndpoint(app, createSavedItem, async ({ body }, request) => {
    const { accessScope } = request
    await requireWorkspace(pool, body.workspace, accessScope)
    await requirePartsInScope(pool, accessScope, { body: { about: body.about } })
    if (body.copy_of) await getSavedItem(body.copy_of, accessScope)
    const id = randomUUID()
    const person_id = request.person?.id ?? null
    await database.transaction(async (client) => {
      await client.query(
        `INSERT INTO saved_items(id, kind, workspace_id, about, name, value, person_id, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
        [
          id,
          body.kind,
          body.workspace,
          body.about ?? null,
          body.name,
          JSON.stringify(body.value ?? null),
          person_id,
          new Date(),
        ],
      )
      if (body.kind !== 'board') return
      const board = { id, workspace_id: body.workspace, name: body.name, value: body.value }
      if (body.copy_of) await copyBoardRounds(client, body.copy_of, board, { person_id, accessScope })
      else await insertBoardBatch(client, board, person_id)
    })
    return getSavedItem(id, accessScope)
  })

  registerEndpoint(app, updateSavedItem, async ({ params, body }, { accessScope }) => {
    const { id } = await getSavedItem(params.saved_item_id, accessScope)
    // Missing fields stay unchanged; each change has its own time.
    const { rowCount } = await pool.query(
      `UPDATE saved_items SET name = coalesce($2, name), value = CASE WHEN $3 THEN $4::json ELSE value END,
         updated_at = greatest($5, updated_at + interval '1 millisecond')
       WHERE id = $1 AND ($6::timestamptz IS NULL OR updated_at = $6)`,
      [
        id,
        body.name ?? null,
        body.value !== undefined,
        JSON.stringify(body.value ?? null),
        new Date(),
        body.read_at ?? null,
      ],
    )
    const item = await getSavedItem(id, accessScope)
    if (rowCount === 0) throw new ProblemError({ kind: 'invalid', status: 409, message: CHANGED_MEANWHILE })
    return item
  })

  registerEndpoint(app, deleteSavedItem, async ({ params }, { accessScope }) => {
    const { id } = await getSavedItem(params.saved_item_id, accessScope)
    await database.transaction(async (client) => {
      await client.query('DELETE FROM saved_items WHERE id = $1', [id])
      // The rounds of a board: their runs stay in the ledger.
      await client.query(`DELETE FROM batches WHERE id = $1 AND kind = 'board'`, [id])
    })
    return { id }
  })
}

const CHANGED_MEANWHILE = 'This was changed after read_at. Read it again and apply your change to the new value.'

function throwNotFound(message: string): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message })
}
