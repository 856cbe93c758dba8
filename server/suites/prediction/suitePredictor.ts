import { setImmediate } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { z } from 'zod'
import type { PredictedResult, SuitePrediction } from '#contract/console/experiments/predictions.ts'
import type { Capability } from '#contract/console/workspaces.ts'
import type { RetrievedPassage, SuiteCase } from '#contract/console/suites.ts'
import { fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { adaptRequestBody } from '../../relay/detection/dialect.ts'
import { fetchJson } from '../../relay/upstream/fetchJson.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { evaluateResult } from '../experimentResults.ts'
import type { SuiteRecord, SuiteStore } from '../suiteStore.ts'
import { DatasetListings, type Listing, NO_SUCH_ROUTE } from './datasetListings.ts'
import { toEstimatedExpectation, toPassageChanges } from './estimate.ts'
import { parseBySchema } from '#domain/losslessJson.ts'

/** The results of a case, best first. */
interface PredictedRanking {
  found: RetrievedPassage[]
  tokens: number
  expected: SuiteCase['expected']
}

type PredictionRequest = z.output<typeof contract.console.predictSuite.body>

interface PredictorDeps {
  pool: Pool
  suites: SuiteStore
  upstream: UpstreamClient
}

/** The results of a suite before a change is saved. They are neither runs nor calls in the ledger. */
export class SuitePredictor {
  readonly #deps: PredictorDeps
  readonly #listings: DatasetListings

  constructor(deps: PredictorDeps) {
    this.#deps = deps
    this.#listings = new DatasetListings(deps.upstream)
  }

  /** The results of a page of cases. @throws ProblemError */
  async predict(
    suite: SuiteRecord,
    credential: PlatformCredential,
    request: PredictionRequest,
  ): Promise<SuitePrediction> {
    const { page, limit } = request
    const { data: cases, total } = await this.#deps.suites.listCases(suite.id, undefined, page, limit, [])
    const prediction = await predict(this.#deps, this.#listings, { suite, credential, request, cases })
    return { ...prediction, total, page, limit, has_more: page * limit < total }
  }
}

interface PredictionInput {
  suite: SuiteRecord
  credential: PlatformCredential
  request: PredictionRequest
  cases: readonly SuiteCase[]
}

async function predict(
  deps: PredictorDeps,
  listings: DatasetListings,
  input: PredictionInput,
): Promise<Pick<SuitePrediction, 'source' | 'reason' | 'listing' | 'data'>> {
  const { request, credential, cases, suite } = input
  if (!request.is_estimate && !request.chunking && request.listing === undefined) {
    const data = await rankByDryRun(deps, input)
    if (data) return { source: 'dry_run', reason: null, listing: null, data: await toResults(suite, cases, data) }
  }
  const listing = await listings.get(credential, suite.about, request.listing)
  if (typeof listing === 'string') return { source: 'none', reason: listing, listing: null, data: [] }
  const ranked = await rankByEstimate(listing, input)
  return { source: 'estimate', reason: null, listing: listing.id, data: await toResults(suite, cases, ranked) }
}

async function toResults(
  { default_checks }: SuiteRecord,
  cases: readonly SuiteCase[],
  ranked: readonly PredictedRanking[],
): Promise<PredictedResult[]> {
  const results: PredictedResult[] = []
  for (const [index, { id, name, checks }] of cases.entries()) {
    const ranking = ranked[index]
    if (!ranking) continue
    const { found, expected, tokens } = ranking
    const { outcome, rank } = await evaluateResult([...default_checks, ...checks], { found, expected, run: null })
    results.push({ case_id: id, case_name: name, outcome, rank, tokens })
  }
  return results
}

/** Null if the platform has no dry run. @throws ProblemError */
async function rankByDryRun(
  { pool, upstream }: PredictorDeps,
  { suite, credential, request, cases }: PredictionInput,
): Promise<PredictedRanking[] | null> {
  const capability = await readDryRunCapability(pool, credential.key_id)
  if (capability && capability.state !== 'offered') return null
  if (cases.length === 0) return []
  const entry = contract.adjacent.dryRunRetrieval
  const { segments, retrieval_model } = request
  const body = {
    queries: cases.map(({ input }) => input.query ?? ''),
    ...(segments.length > 0 ? { segments } : {}),
    ...(retrieval_model ? { retrieval_model } : {}),
  }
  const path = fillPath(entry.path, { dataset_id: suite.about })
  const adapted = adaptRequestBody('adjacent.dryRunRetrieval', body, credential.dialect) as object
  try {
    const reply = parseBySchema(entry.reply, await fetchJson(upstream, credential, { path, body: adapted }))
    if (!reply.success) throw new ProblemError({ kind: 'mismatch', message: 'The platform’s dry run has no results.' })
    return reply.data.results.map(({ records }, index) => ({
      found: records.map(({ segment_id, document_id, score }) => ({ segment_id, document_id, score })),
      tokens: records.reduce((sum, { tokens }) => sum + tokens, 0),
      expected: cases[index]?.expected ?? {},
    }))
  } catch (error) {
    const status = error instanceof ProblemError ? error.problem.upstream?.status : undefined
    // The key may not have been probed for dry runs yet: a platform without them does not have the path.
    if (!capability && status !== undefined && NO_SUCH_ROUTE.includes(status)) return null
    throw error
  }
}

async function readDryRunCapability(pool: Pool, key_id: string): Promise<Capability | undefined> {
  const { rows } = await pool.query<{ capability: Capability | null }>(
    `SELECT capabilities -> 'dryRunRetrieval' AS capability FROM keys WHERE id = $1`,
    [key_id],
  )
  return rows[0]?.capability ?? undefined
}

/** The platform’s own default. */
const DEFAULT_TOP_K = 4

async function rankByEstimate(listing: Listing, { request, cases }: PredictionInput): Promise<PredictedRanking[]> {
  const estimate = await listing.estimate(request.chunking)
  const { changes, segments: changed } = toPassageChanges(listing.documents, request.segments)
  const settings = { ...listing.settings, ...request.retrieval_model }
  const minScore = settings.score_threshold_enabled ? (settings.score_threshold ?? 0) : 0
  const rankings: PredictedRanking[] = []
  for (const {
    input: { query = '' },
    expected,
  } of cases) {
    // A search of 20,000 segments takes a tenth of a second.
    await setImmediate()
    const found = estimate.index
      .search(query, settings.top_k ?? DEFAULT_TOP_K, changes)
      .filter(({ score }) => score >= minScore)
      .map(({ segment_id, score }) => {
        const segment = changed.get(segment_id) ?? estimate.segments.get(segment_id)
        return { segment_id, score, document_id: segment?.document_id ?? null, tokens: segment?.tokens ?? 0 }
      })
    rankings.push({
      found: found.map(({ segment_id, score, document_id }) => ({ segment_id, score, document_id })),
      tokens: found.reduce((sum, { tokens }) => sum + tokens, 0),
      expected: request.chunking ? toEstimatedExpectation(expected, estimate) : expected,
    })
  }
  return rankings
}
