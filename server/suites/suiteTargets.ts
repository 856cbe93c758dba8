import type { Pool } from 'pg'
import type { z } from 'zod'
import type { Batch } from '#contract/console/batches.ts'
import type { CaseInput, ExperimentTarget } from '#contract/console/suites.ts'
import type { contract } from '#contract/index.ts'
import { invalidFieldError, ProblemError } from '#contract/problem.ts'
import type { AccessScope } from '../auth/accessScope.ts'
import type { Vault } from '../vault/vault.ts'
import type { SuiteRecord } from './suiteStore.ts'

/** The platform truncates longer queries of a retrieval. */
const MAX_QUERY_CHARS = 250

/** @throws ProblemError 400 that names the field which a retrieval needs */
export function validateCase({ query }: CaseInput, path: string): void {
  if (query === undefined) throw invalidFieldError(`${path}.query`, 'is required for a retrieval')
  if (query.length > MAX_QUERY_CHARS)
    throw invalidFieldError(`${path}.query`, `must be at most ${MAX_QUERY_CHARS} characters for a retrieval`)
}

type ExperimentRequest = z.output<typeof contract.console.createExperiment.body>

/** What an experiment of a suite calls, by the key that was given or is the suite's own. @throws ProblemError 400, 404, 409 */
export async function resolveTarget(
  { pool, vault }: { pool: Pool; vault: Vault },
  suite: SuiteRecord,
  { key, retrieval_model }: ExperimentRequest,
  reach: AccessScope,
): Promise<{ target: ExperimentTarget; entry: Batch['entry'] }> {
  const key_id = key ?? (await findKnowledgeKey(pool, suite.workspace_id))
  const credential = await vault.getCredential(key_id, reach)
  if (credential.workspace_id !== suite.workspace_id)
    throw invalidFieldError('body.key', 'must be a key of the suite’s workspace')
  const target = { key: key_id, dataset_id: suite.about }
  if (credential.kind === 'chat')
    return { entry: 'chat.send', target: { ...target, source: 'chat', retrieval_model: null } }
  if (credential.kind !== 'knowledge')
    throw invalidFieldError('body.key', `must be a knowledge or a chat key; this is a ${credential.kind} key`)
  return { entry: 'adjacent.retrieve', target: { ...target, source: 'retrieve', retrieval_model } }
}

async function findKnowledgeKey(pool: Pool, workspace_id: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM keys WHERE workspace_id = $1 AND kind = 'knowledge' ORDER BY created_at LIMIT 1`,
    [workspace_id],
  )
  const message = 'The workspace has no knowledge key.'
  if (!rows[0]) throw new ProblemError({ kind: 'invalid', status: 409, message })
  return rows[0].id
}
