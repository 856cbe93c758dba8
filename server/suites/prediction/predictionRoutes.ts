import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import { invalidFieldError } from '#contract/problem.ts'
import type { AccessScope } from '../../auth/accessScope.ts'
import { requirePerson } from '../../auth/accountRoutes.ts'
import { requirePartsInScope } from '../../auth/resourceScope.ts'
import type { BatchQueue } from '../../batches/batchQueue.ts'
import { registerEndpoint } from '../../http/endpointRoute.ts'
import type { Vault } from '../../vault/vault.ts'
import type { SuiteRecord, SuiteStore } from '../suiteStore.ts'
import { requireKnowledgeKey } from '../suiteTargets.ts'
import type { SuitePredictor } from './suitePredictor.ts'
import type { SweepStore } from './sweepStore.ts'

export interface PredictionRouteDeps {
  pool: Pool
  suites: SuiteStore
  vault: Vault
  predictor: SuitePredictor
  sweeps: SweepStore
  queue: BatchQueue
}

/** What a suite of retrieval would find: with one change while a person waits, and with many settings as a batch. */
export function registerPredictionRoutes(app: FastifyInstance, deps: PredictionRouteDeps): void {
  const { pool, suites, predictor, sweeps, queue } = deps
  const entries = contract.console

  registerEndpoint(app, entries.predictSuite, async ({ params, body }, { accessScope }) => {
    const suite = await suites.get(params.suite_id, accessScope)
    await requirePartsInScope(pool, accessScope, { body })
    return predictor.predict(suite, await getKnowledgeCredential(deps, suite, body.key, accessScope), body)
  })

  registerEndpoint(app, entries.startSweep, async ({ params, body }, request) => {
    const { accessScope } = request
    const suite = await suites.get(params.suite_id, accessScope)
    await requirePartsInScope(pool, accessScope, { body })
    const { key_id } = await getKnowledgeCredential(deps, suite, body.key, accessScope)
    const id = body.id?.toLowerCase() ?? randomUUID()
    const person_id = requirePerson(request).id
    await sweeps.create(suite, { id, key_id, person_id, settings: body.settings })
    await queue.startNew({ id, kind: 'sweep' }, person_id, accessScope)
    return { sweep: await sweeps.findLast(suite.id, accessScope) }
  })

  registerEndpoint(app, entries.readLastSweep, async ({ params }, { accessScope }) => {
    const { id } = await suites.get(params.suite_id, accessScope)
    return { sweep: await sweeps.findLast(id, accessScope) }
  })
}

/** @throws ProblemError 400 for a suite or a key that is not of retrieval, 404 for a key out of scope, 409 without any */
async function getKnowledgeCredential(
  { pool, vault }: PredictionRouteDeps,
  suite: SuiteRecord,
  key: string | undefined,
  accessScope: AccessScope,
) {
  if (suite.target_kind !== 'retrieval')
    throw invalidFieldError('params.suite_id', 'is a suite of an app; only retrieval can be predicted')
  const credential = await vault.getCredential(
    key ?? (await requireKnowledgeKey(pool, suite.workspace_id)),
    accessScope,
  )
  if (credential.workspace_id !== suite.workspace_id || credential.kind !== 'knowledge')
    throw invalidFieldError('body.key', 'must be a knowledge key of the suite’s workspace')
  return credential
}
