import { isDeepStrictEqual } from 'node:util'
import type { Pool } from 'pg'
import { type ExperimentCauses, MAX_EXPLAINED_CASES } from '#contract/console/experiments/experimentCauses.ts'
import type { Experiment, ExperimentDifference } from '#contract/console/suites.ts'
import { ProblemError } from '#contract/problem.ts'
import type {
  AppChange,
  CitedPassage,
  rankCauses,
  RecordedEdit,
  RegressedCase,
} from '#domain/experiments/rankCauses.ts'
import { findVersionAt } from '#domain/parameterVersions.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import type { AccessScope } from '../../auth/accessScope.ts'
import { listCasePairs, readDifferences } from '../experimentComparison.ts'
import { SuiteThread } from '../suiteThread.ts'
import { type CitedAnswer, findCitedTexts, listCitedAnswers } from './citedPassages.ts'
import { listRecordedEdits, listSettingsChanges } from './recordedEdits.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { queryReplies } from '../../db/replyRows.ts'

/** Milliseconds. The passages of 200 cases may be long. */
const RANKING_BUDGET_MS = 10_000
const thread = new SuiteThread(RANKING_BUDGET_MS)

interface Comparison {
  before: Experiment
  after: Experiment
  reach: AccessScope
}

/** Why cases regressed between two experiments, from the ledger and the passages that the answers cited. */
export async function explainRegressions(pool: Pool, { before, after, reach }: Comparison): Promise<ExperimentCauses> {
  const pairs = await listCasePairs(pool, before, after)
  const regressed = pairs.filter(({ change }) => change === 'regressed')
  const [older, newer] = before.batch.created_at <= after.batch.created_at ? [before, after] : [after, before]
  const from = older.batch.created_at
  const to = newer.batch.ended_at ?? new Date().toISOString()
  const examined = regressed.slice(0, MAX_EXPLAINED_CASES).map(({ case_id }) => case_id)
  if (examined.length === 0)
    return { data: [], total: 0, cases: [], regressed: 0, examined: 0, is_complete: true, from, to }
  const answers = await listCitedAnswers(pool, [older, newer], examined)
  const cases = examined.map((case_id) => toRegressedCase(case_id, answers, older, newer))
  const passages = cases.flatMap((one) => [...one.older, ...one.newer])
  const query = { workspace: after.batch.workspace, from: new Date(from), to: new Date(to), reach }
  const datasets = listIds(passages, ({ dataset_id }) => dataset_id)
  const [{ edits, isComplete }, settings, differences, parameters] = await Promise.all([
    listRecordedEdits(pool, query, {
      ids: listIds(passages, ({ segment_id }) => segment_id).concat(
        listIds(passages, ({ document_id }) => document_id),
      ),
      datasets,
    }),
    listSettingsChanges(pool, query, datasets),
    readDifferences(pool, before, after, reach),
    listParameterDifferences(pool, before, after),
  ])
  const sources = {
    edits,
    settings: hasOwnSettings(before, after) ? [] : settings,
    app: [...toAppChanges(differences), ...parameters],
    olderTexts: await findCitedTexts(pool, older, listUncitedEdits(edits, cases)),
  }
  const { answers: ranked, failure } = await thread.run<ReturnType<typeof rankCauses>>({ cases, sources }, 1)
  if (!ranked[0])
    throw new ProblemError({ kind: 'invalid', status: 422, message: `Comparing the passages ${failure}.` })
  const { causes, cases: explained } = ranked[0]
  const names = new Map(answers.flatMap(({ document_names }) => [...document_names]))
  return {
    data: causes.map((cause) => ({ ...cause, document_name: names.get(cause.document_id ?? '') ?? null })),
    total: causes.length,
    cases: explained,
    regressed: regressed.length,
    examined: examined.length,
    is_complete: isComplete,
    from,
    to,
  }
}

function toRegressedCase(
  case_id: string,
  answers: readonly CitedAnswer[],
  older: Experiment,
  newer: Experiment,
): RegressedCase {
  const find = ({ id }: Experiment) => answers.find((one) => one.experiment_id === id && one.case_id === case_id)
  const [first, last] = [find(older), find(newer)]
  return {
    case_id,
    older: first?.passages ?? [],
    newer: last?.passages ?? [],
    from: first?.began_at?.getTime() ?? Date.parse(older.batch.created_at),
    to: last?.ended_at?.getTime() ?? Date.now(),
  }
}

const listIds = (passages: readonly CitedPassage[], pick: (passage: CitedPassage) => string | null): string[] => [
  ...new Set(passages.flatMap((passage) => pick(passage) ?? [])),
]

/** Edited segments whose text is in no older answer of these cases. */
function listUncitedEdits(edits: readonly RecordedEdit[], cases: readonly RegressedCase[]): string[] {
  const cited = new Set(cases.flatMap(({ older }) => older.map(({ segment_id }) => segment_id)))
  return [
    ...new Set(edits.flatMap(({ segment_id }) => (segment_id === null || cited.has(segment_id) ? [] : segment_id))),
  ]
}

/** Both searched with their own settings, so those of the dataset did not apply. */
const hasOwnSettings = (before: Experiment, after: Experiment): boolean =>
  before.target.retrieval_model !== null && after.target.retrieval_model !== null

/** Parameters of the app as seen when the experiments began. */
async function listParameterDifferences(pool: Pool, before: Experiment, after: Experiment): Promise<AppChange[]> {
  if (before.target.key !== after.target.key || after.target.source === 'retrieve') return []
  const parameters = await queryReplies<{ payload: unknown; first_seen: string; last_seen: string }>(
    pool,
    `SELECT payload, first_seen, last_seen FROM resources WHERE workspace_id = $1 AND kind = 'parameters' AND parent = $2
     ORDER BY last_seen DESC LIMIT ${MAX_PARAMETER_VERSIONS}`,
    [after.batch.workspace, after.target.key],
  )
  const versions = parameters.map((seen) => ({ ...seen, payload: asRecord(seen.payload) ?? {} }))
  const [older, newer] = [before, after].map(
    ({ batch }) => findVersionAt(versions, Date.parse(batch.created_at))?.payload,
  )
  if (!older || !newer) return []
  const differences = [...new Set([...Object.keys(older), ...Object.keys(newer)])].flatMap(
    (name): ExperimentDifference[] => {
      const [one, other] = [older[name], newer[name]].map((value) =>
        value === undefined ? null : truncateText(JSON.stringify(value), MAX_SHOWN_CHARS),
      )
      return isDeepStrictEqual(older[name], newer[name]) ? [] : [{ name, before: one ?? null, after: other ?? null }]
    },
  )
  return differences.length === 0 ? [] : [{ kind: 'app_parameters', differences }]
}

const MAX_PARAMETER_VERSIONS = 100
const MAX_SHOWN_CHARS = 500

const VERSION_NAMES = new Set(['workflow_id', 'platform_version'])
/** The checks, tags and repetitions of an experiment do not change the answers of an app. */
const SETTING_NAMES = /^(key|source|user|retrieval_model\..+)$/

function toAppChanges(differences: readonly ExperimentDifference[]): AppChange[] {
  const toChange = (kind: AppChange['kind'], isOfKind: (name: string) => boolean): AppChange[] => {
    const own = differences.filter(({ name }) => isOfKind(name))
    return own.length === 0 ? [] : [{ kind, differences: own }]
  }
  return [
    ...toChange('app_version', (name) => VERSION_NAMES.has(name)),
    ...toChange('experiment_settings', (name) => SETTING_NAMES.test(name)),
  ]
}
