import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import type { Things } from '../ledger/things.ts'
import { route } from '../plugins/route.ts'
import { runOf } from '../runs/row.ts'
import type { Vault } from '../vault/vault.ts'
import { alike } from './alike.ts'
import { toReview } from './review.ts'

/** What stands beside annotations in the console: those that are like one that is to be written, and the turns to review. */
export function annotationRoutes(
  app: FastifyInstance,
  { pool, vault, things }: { pool: Pool; vault: Vault; things: Things },
): void {
  const { findAlike, listReview } = contract.console

  route(app, findAlike, async ({ body }, { reach }) => {
    const { key_id, workspace_id } = await vault.credential(body.key, reach)
    // What the last reply named may still be on its way into the table.
    await things.settled()
    return alike(pool, { key_id, workspace_id, question: body.question, answer: body.answer, not: body.not })
  })

  route(app, listReview, async ({ query }, { reach }) => {
    const credential = await vault.credential(query.key, reach)
    const { rows, total, looked } = await toReview(pool, credential, query.reason, query.limit)
    return { data: rows.map(({ reasons, ...row }) => ({ run: runOf(row), reasons })), total, looked }
  })
}
