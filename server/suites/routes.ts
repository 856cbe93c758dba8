import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Check } from '#contract/console/checks.ts'
import {
  type Experiment,
  MAX_CASE_CHARS,
  type NewCase,
  type Suite,
  type SuiteTarget,
} from '#contract/console/suites.ts'
import { contract } from '#contract/index.ts'
import { invalidFieldError } from '#contract/problem.ts'
import { requirePerson } from '../auth/accountRoutes.ts'
import { toActor } from '../auth/peopleRoutes.ts'
import type { AccessScope } from '../auth/accessScope.ts'
import { requirePartsInScope, requireWorkspace } from '../auth/resourceScope.ts'
import type { BatchQueue } from '../batches/batchQueue.ts'
import type { BatchStore } from '../batches/batchStore.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { toPageReply } from '../http/pageReply.ts'
import type { Vault } from '../vault/vault.ts'
import { explainRegressions } from './causes/explainRegressions.ts'
import { compareExperiments } from './experimentComparison.ts'
import type { FingerprintRecorder } from './fingerprint/fingerprintRecorder.ts'
import type { ExperimentStore } from './experimentStore.ts'
import { listExperimentTrend } from './experimentTrend.ts'
import { type SuiteRecord, type SuiteStore, throwCaseNotFound } from './suiteStore.ts'
import { findUnreadableCheck } from './checkEvaluation.ts'
import { requireApp, requireJudges, resolveTarget, validateChecks, validateInput } from './suiteTargets.ts'

export interface SuiteRouteDeps {
  pool: Pool
  suites: SuiteStore
  experiments: ExperimentStore
  batches: BatchStore
  queue: BatchQueue
  vault: Vault
  fingerprints: FingerprintRecorder
}

/** Suites, their cases, and their experiments. The batch queue sends the rows of an experiment. */
export function registerSuiteRoutes(app: FastifyInstance, deps: SuiteRouteDeps): void {
  registerSuites(app, deps)
  registerCases(app, deps)
  registerExperiments(app, deps)
}

function registerSuites(app: FastifyInstance, { pool, suites, experiments, vault }: SuiteRouteDeps): void {
  const entries = contract.console
  const withLast = async (records: readonly SuiteRecord[], reach: AccessScope): Promise<Suite[]> => {
    const last = await experiments.listByIds(
      records.flatMap(({ last_id }) => last_id ?? []),
      reach,
    )
    return records.map((record) => toSuite(record, last.find(({ id }) => id === record.last_id) ?? null))
  }
  const getSuite = async (id: string, reach: AccessScope): Promise<Suite> => {
    const record = await suites.get(id, reach)
    const [suite] = await withLast([record], reach)
    return suite ?? toSuite(record, null)
  }

  registerEndpoint(app, entries.listSuites, async ({ query }, { accessScope }) => {
    const { page, limit, workspace, ...filter } = query
    await requireWorkspace(pool, workspace, accessScope)
    const { data, total } = await suites.list({ ...filter, workspace, reach: accessScope }, page, limit)
    return toPageReply({ data: await withLast(data, accessScope), total }, query)
  })

  registerEndpoint(app, entries.createSuite, async ({ body }, request) => {
    const { accessScope } = request
    const { workspace, name, target, about, cases } = body
    await requireWorkspace(pool, workspace, accessScope)
    await requirePartsInScope(pool, accessScope, { body: { about, cases } })
    await requireApp(vault, { workspace, target, about }, accessScope)
    await validateCases(target, cases)
    const checks = body.checks ?? DEFAULT_CHECKS[target]
    await validateChecks(checks, 'body.checks')
    await requireJudges(vault, { workspace, checks }, accessScope, 'body.checks')
    await requireCaseJudges(vault, { workspace, cases }, accessScope)
    const id = await suites.create({ workspace, name, target, about, checks }, cases, request.person?.id ?? null)
    return getSuite(id, accessScope)
  })

  registerEndpoint(app, entries.readSuite, ({ params }, { accessScope }) => getSuite(params.suite_id, accessScope))

  registerEndpoint(app, entries.updateSuite, async ({ params, body }, { accessScope }) => {
    const { id, workspace_id: workspace } = await suites.get(params.suite_id, accessScope)
    const { checks = [] } = body
    await validateChecks(checks, 'body.checks')
    await requireJudges(vault, { workspace, checks }, accessScope, 'body.checks')
    await suites.update(id, body)
    return getSuite(id, accessScope)
  })

  registerEndpoint(app, entries.deleteSuite, async ({ params }, { accessScope }) => {
    const { id } = await suites.get(params.suite_id, accessScope)
    await suites.remove(id, accessScope)
    return { id }
  })
}

function registerCases(app: FastifyInstance, { pool, suites, vault }: SuiteRouteDeps): void {
  const entries = contract.console

  registerEndpoint(app, entries.listSuiteCases, async ({ params, query }, { accessScope }) => {
    const { page, limit, q } = query
    const { id } = await suites.get(params.suite_id, accessScope)
    return toPageReply(await suites.listCases(id, q, page, limit, accessScope), query)
  })

  registerEndpoint(app, entries.addSuiteCases, async ({ params, body }, request) => {
    const suite = await suites.get(params.suite_id, request.accessScope)
    await requirePartsInScope(pool, request.accessScope, { body })
    await validateCases(suite.target_kind, body.cases)
    await requireCaseJudges(vault, { workspace: suite.workspace_id, cases: body.cases }, request.accessScope)
    const added = await suites.addCases(suite.id, body.cases, request.person?.id ?? null)
    return { id: suite.id, added, duplicates: body.cases.length - added }
  })

  registerEndpoint(app, entries.updateSuiteCase, async ({ params, body }, request) => {
    const suite = await suites.get(params.suite_id, request.accessScope)
    await requirePartsInScope(pool, request.accessScope, { body })
    if (body.input) validateInput(suite.target_kind, body.input, 'body.input')
    const { checks = [] } = body
    await validateChecks(checks, 'body.checks')
    await requireJudges(vault, { workspace: suite.workspace_id, checks }, request.accessScope, 'body.checks')
    const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    return suites.updateCase(suite.id, params.case_id, changes, request.person?.id ?? null)
  })

  registerEndpoint(app, entries.deleteSuiteCase, async ({ params }, { accessScope }) => {
    const suite = await suites.get(params.suite_id, accessScope)
    await suites.removeCase(suite.id, params.case_id)
    return { id: params.case_id }
  })

  registerEndpoint(app, entries.listCaseRevisions, async ({ params, query }, { accessScope }) => {
    const { page, limit } = query
    const suite = await suites.get(params.suite_id, accessScope)
    const found = await suites.listRevisions(suite.id, params.case_id, page, limit)
    if (found.total === 0) throwCaseNotFound()
    return toPageReply(found, query)
  })
}

function registerExperiments(app: FastifyInstance, deps: SuiteRouteDeps): void {
  const { pool, suites, experiments, queue, vault, fingerprints } = deps
  const entries = contract.console

  registerEndpoint(app, entries.listExperiments, async ({ params, query }, { accessScope }) => {
    const { page, limit } = query
    const { id } = await suites.get(params.suite_id, accessScope)
    return toPageReply(await experiments.list(id, page, limit, accessScope), query)
  })

  registerEndpoint(app, entries.listExperimentTrend, async ({ params }, { accessScope }) => {
    const { id } = await suites.get(params.suite_id, accessScope)
    const data = await listExperimentTrend(pool, id, accessScope)
    return { data, total: data.length }
  })

  registerEndpoint(app, entries.createExperiment, async ({ params, body }, request) => {
    const { accessScope } = request
    const person_id = requirePerson(request).id
    const suite = await suites.get(params.suite_id, accessScope)
    await requirePartsInScope(pool, accessScope, {
      body: { id: body.id, key: body.key, workflow_id: body.workflow_id },
    })
    const { target, entry } = await resolveTarget({ pool, vault }, suite, body, accessScope)
    const checks = [...suite.default_checks, ...(await suites.listCurrentChecks(suite.id))]
    await requireJudges(vault, { workspace: suite.workspace_id, checks }, accessScope, 'body')
    const id = body.id?.toLowerCase() ?? randomUUID()
    const { repetitions, tags, user, inputs, at_once, per_minute, max_rows, max_tokens, max_price } = body
    const name = body.name ?? suite.name
    const limits = { at_once, per_minute, max_rows, max_tokens, max_price }
    await experiments.create(suite, { id, name, target, entry, repetitions, tags, user, inputs, person_id, ...limits })
    const experiment = await experiments.get(id, accessScope)
    if (experiment.suite !== suite.id) throw invalidFieldError('body.id', 'is the id of another experiment')
    if (!(await queue.startNew({ id, kind: 'experiment' }, person_id, accessScope, body.only))) return experiment
    fingerprints.recordStart(id, accessScope)
    return experiments.get(id, accessScope)
  })

  registerEndpoint(app, entries.readExperiment, async ({ params }, { accessScope }) => {
    const experiment = await getReconciled(deps, params.experiment_id, accessScope)
    return { ...experiment, scores: await experiments.listMetricScores(experiment.id) }
  })

  registerEndpoint(app, entries.listExperimentResults, async ({ params, query }, { accessScope }) => {
    const { page, limit, outcome } = query
    const { id } = await experiments.get(params.experiment_id, accessScope)
    return toPageReply(await experiments.listResults(id, outcome, page, limit), query)
  })

  registerEndpoint(app, entries.compareExperiments, async ({ params, query }, { accessScope }) => {
    const { page, limit, change } = query
    const pair = await getComparable(experiments, params.experiment_id, query.with, accessScope)
    const compared = await compareExperiments(pool, { ...pair, change, page, limit, reach: accessScope })
    return { ...compared, ...toPageReply(compared, query) }
  })

  registerEndpoint(app, entries.explainRegressions, async ({ params, query }, { accessScope }) => {
    const pair = await getComparable(experiments, params.experiment_id, query.with, accessScope)
    return explainRegressions(pool, { ...pair, reach: accessScope })
  })

  registerEndpoint(app, entries.approveExperiment, async ({ params, body }, request) => {
    const experiment = await experiments.get(params.experiment_id, request.accessScope)
    await experiments.setBaseline(experiment, body.is_baseline, toActor(request), request.accessScope)
    return experiments.get(experiment.id, request.accessScope)
  })
}

/** @throws ProblemError 400, 404 */
async function getComparable(experiments: ExperimentStore, id: string, other: string, reach: AccessScope) {
  const after = await experiments.get(id, reach)
  const before = await experiments.get(other, reach)
  if (before.suite !== after.suite) throw invalidFieldError('query.with', 'is an experiment of another suite')
  if (before.id === after.id) throw invalidFieldError('query.with', 'is the same experiment')
  return { before, after }
}

/** An experiment, updated with rows whose call has ended since they were marked unknown. */
async function getReconciled(
  { experiments, batches, queue }: SuiteRouteDeps,
  id: string,
  reach: AccessScope,
): Promise<Experiment> {
  const experiment = await experiments.get(id, reach)
  if (experiment.batch.counts.unknown === 0) return experiment
  const record = await batches.findRecord(id, reach)
  return record && (await queue.reconcileUnknownRows(record)) ? experiments.get(id, reach) : experiment
}

const DEFAULT_CHECKS: Record<SuiteTarget, Check[]> = {
  retrieval: [{ type: 'hit@k' }],
  chat: [],
  completion: [],
  workflow: [],
}

/** @throws ProblemError as `requireJudges` does */
export const requireCaseJudges = (
  vault: Vault,
  { workspace, cases }: { workspace: string; cases: readonly Pick<NewCase, 'checks'>[] },
  reach: AccessScope,
) => requireJudges(vault, { workspace, checks: cases.flatMap(({ checks }) => checks) }, reach, 'body.cases')

export async function validateCases(
  target: SuiteTarget,
  cases: readonly Pick<NewCase, 'input' | 'checks'>[],
): Promise<void> {
  for (const [index, one] of cases.entries()) {
    if (JSON.stringify(one).length > MAX_CASE_CHARS)
      throw invalidFieldError(`body.cases.${index}`, `is over ${MAX_CASE_CHARS} characters`)
    validateInput(target, one.input, `body.cases.${index}.input`)
  }
  const places = cases.flatMap(({ checks }, index) =>
    checks.map((check, at) => ({ check, path: `${index}.checks.${at}` })),
  )
  const fault = await findUnreadableCheck(places.map(({ check }) => check))
  if (fault) throw invalidFieldError(`body.cases.${places[fault.index]?.path}.${fault.field}`, fault.message)
}

const toSuite = (record: SuiteRecord, last: Experiment | null): Suite => ({
  id: record.id,
  workspace: record.workspace_id,
  name: record.name,
  revision: record.revision,
  target: record.target_kind,
  about: record.about,
  checks: record.default_checks,
  cases: record.cases,
  baseline: record.baseline_id,
  last,
  person: record.person,
  created_at: record.created_at.toISOString(),
  updated_at: record.updated_at.toISOString(),
})
