import type { Pool } from 'pg'
import { z } from 'zod'
import type { Batch } from '#contract/console/batches.ts'
import type { Check } from '#contract/console/checks.ts'
import {
  type CaseInput,
  type ExperimentTarget,
  MAX_CASE_CHARS,
  MAX_RETRIEVAL_QUERY_CHARS,
  type SuiteTarget,
} from '#contract/console/suites.ts'
import type { contract } from '#contract/index.ts'
import { invalidFieldError, ProblemError } from '#contract/problem.ts'
import { findUnreadableCheck } from './checkEvaluation.ts'
import type { AccessScope } from '../auth/accessScope.ts'
import type { PlatformCredential, Vault } from '../vault/vault.ts'
import { listJudgeKeys } from './judge/judgeResult.ts'
import { canJudge } from './judge/judgeRuns.ts'
import type { SuiteRecord } from './suiteStore.ts'

/** @throws ProblemError 400 that names the missing or unexpected field */
export function validateInput(
  target: SuiteTarget,
  { query, earlier_turns, inputs, files }: CaseInput,
  path: string,
): void {
  const refuse = (field: keyof CaseInput, message: string) => invalidFieldError(`${path}.${field}`, message)
  if (earlier_turns !== undefined && target !== 'chat') throw refuse('earlier_turns', 'only a chat has them')
  if (files !== undefined && target === 'retrieval') throw refuse('files', 'a retrieval has none')
  if (target === 'completion' || target === 'workflow') {
    if (query !== undefined) throw refuse('query', `a ${target} has inputs only`)
    if (inputs === undefined) throw refuse('inputs', `is required for a ${target}`)
    return
  }
  if (query === undefined) throw refuse('query', `is required for a ${target}`)
  if (target === 'retrieval' && query.length > MAX_RETRIEVAL_QUERY_CHARS)
    throw refuse('query', `must be at most ${MAX_RETRIEVAL_QUERY_CHARS} characters for a retrieval`)
}

/** @throws ProblemError 400 that names the parameter of a check that cannot be read, or not within a second */
export async function validateChecks(checks: readonly Check[], path: string): Promise<void> {
  if (JSON.stringify(checks).length > MAX_CASE_CHARS)
    throw invalidFieldError(path, `is over ${MAX_CASE_CHARS} characters`)
  const fault = await findUnreadableCheck(checks)
  if (fault) throw invalidFieldError(`${path}.${fault.index}.${fault.field}`, fault.message)
}

/** @throws ProblemError 400 for a judge that is not an app of the workspace, 404 for one out of scope */
export async function requireJudges(
  vault: Vault,
  { workspace, checks }: { workspace: string; checks: readonly Check[] },
  reach: AccessScope,
  path: string,
): Promise<void> {
  for (const key of listJudgeKeys(checks)) {
    const credential = await vault.getCredential(key, reach)
    if (credential.workspace_id !== workspace)
      throw invalidFieldError(path, 'must name a judge of the suite’s workspace')
    if (!canJudge(credential))
      throw invalidFieldError(
        path,
        `must name a chat, a completion or a workflow as judge; this is a ${credential.kind} key`,
      )
  }
}

/** @throws ProblemError 400 if `about` is not the key of such an app in the workspace, 404 if it is out of scope */
export async function requireApp(
  vault: Vault,
  { workspace, target, about }: { workspace: string; target: SuiteTarget; about: string },
  reach: AccessScope,
): Promise<void> {
  if (target === 'retrieval') return
  if (!z.uuid().safeParse(about).success) throw invalidFieldError('body.about', 'must be the id of a key')
  requireAppKey(await vault.getCredential(about, reach), workspace, target, 'body.about')
}

function requireAppKey(
  { workspace_id, kind }: PlatformCredential,
  workspace: string,
  target: SuiteTarget,
  path: string,
): void {
  if (workspace_id !== workspace) throw invalidFieldError(path, 'must be a key of the suite’s workspace')
  if (kind !== target) throw invalidFieldError(path, `must be a ${target} key; this is a ${kind} key`)
}

type ExperimentRequest = z.output<typeof contract.console.createExperiment.body>

/** What an experiment calls: the given key, or that of the suite. @throws ProblemError 400, 404, 409 */
export async function resolveTarget(
  { pool, vault }: { pool: Pool; vault: Vault },
  suite: SuiteRecord,
  { key, retrieval_model, workflow_id }: ExperimentRequest,
  reach: AccessScope,
): Promise<{ target: ExperimentTarget; entry: Batch['entry'] }> {
  if (suite.target_kind !== 'retrieval') {
    const key_id = key ?? suite.about
    requireAppKey(await vault.getCredential(key_id, reach), suite.workspace_id, suite.target_kind, 'body.key')
    if (workflow_id !== undefined && suite.target_kind === 'completion')
      throw invalidFieldError('body.workflow_id', 'a completion has no versions')
    const app = { key: key_id, dataset_id: null, retrieval_model: null, workflow_id: workflow_id ?? null }
    return { entry: APP_ENTRIES[suite.target_kind], target: { ...app, source: 'app' } }
  }
  if (workflow_id !== undefined) throw invalidFieldError('body.workflow_id', 'a retrieval has no versions')
  const key_id = key ?? (await requireKnowledgeKey(pool, suite.workspace_id))
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

const APP_ENTRIES = {
  chat: 'chat.send',
  completion: 'completion.send',
  workflow: 'workflows.run',
} as const satisfies Record<Exclude<SuiteTarget, 'retrieval'>, Batch['entry']>

/** @throws ProblemError 409 without one */
export async function requireKnowledgeKey(pool: Pool, workspace_id: string): Promise<string> {
  const message = 'The workspace has no knowledge key.'
  const key = await findKnowledgeKey(pool, workspace_id)
  if (key === null) throw new ProblemError({ kind: 'invalid', status: 409, message })
  return key
}

/** The oldest knowledge key of the workspace; null without one. */
export async function findKnowledgeKey(pool: Pool, workspace_id: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM keys WHERE workspace_id = $1 AND kind = 'knowledge' ORDER BY created_at LIMIT 1`,
    [workspace_id],
  )
  return rows[0]?.id ?? null
}
