import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import type { ResourceStore } from '../ledger/resources.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { toRun } from '../runs/toRun.ts'
import type { Vault } from '../vault/vault.ts'
import { searchSimilarAnnotations } from './similarAnnotations.ts'
import { findRatedMessages } from './ratedMessages.ts'
import { findTurnsToReview } from './reviewQueue.ts'

export function registerAnnotationRoutes(
  app: FastifyInstance,
  { pool, vault, resources }: { pool: Pool; vault: Vault; resources: ResourceStore },
): void {
  const { findSimilarAnnotations, listReview, findRatedMessages: ratedMessagesEntry } = contract.console

  registerEndpoint(app, findSimilarAnnotations, async ({ body }, { accessScope }) => {
    const { key_id, workspace_id } = await vault.getCredential(body.key, accessScope)
    // Resources of the last reply may not be in the table yet.
    await resources.whenIdle()
    return searchSimilarAnnotations(pool, {
      key_id,
      workspace_id,
      question: body.question,
      answer: body.answer,
      excludedId: body.not,
    })
  })

  registerEndpoint(app, listReview, async ({ query }, { accessScope }) => {
    const credential = await vault.getCredential(query.key, accessScope)
    const { rows, total, reviewedTurns } = await findTurnsToReview(pool, credential, query.reason, query.limit)
    return { data: rows.map(({ reasons, ...row }) => ({ run: toRun(row), reasons })), total, looked: reviewedTurns }
  })

  registerEndpoint(app, ratedMessagesEntry, async ({ query }, { accessScope }) => {
    const credential = await vault.getCredential(query.key, accessScope)
    return { data: await findRatedMessages(pool, credential, [query.message_ids].flat()) }
  })
}
