import type { PredictedResult, SuitePrediction } from '#contract/console/experiments/predictions.ts'
import { MAX_SWEPT_CASES, SweepSetting } from '#contract/console/experiments/sweeps.ts'
import { MAX_DRY_RUN_QUERIES } from '#contract/platform/optionalDatasets.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { BatchRowHandler, BatchRowOutcome, BatchTask } from '../../batches/batchKind.ts'
import { toFailedRow, toSucceededRow } from '../../batches/rowCall.ts'
import type { PlatformCredential, Vault } from '../../vault/vault.ts'
import type { SuiteRecord, SuiteStore } from '../suiteStore.ts'
import type { SuitePredictor } from './suitePredictor.ts'
import type { SweepResult } from './sweepStore.ts'

interface SweepBatchDeps {
  predictor: SuitePredictor
  suites: SuiteStore
  vault: Vault
}

/**
 * Rows that are settings of a retrieval: the cases of a suite are predicted with each. A row makes no call of the ledger, so
 * one whose server died is executed again.
 */
export function createSweepBatchKind({ predictor, suites, vault }: SweepBatchDeps): BatchRowHandler {
  /** By batch: the listing that the estimates before have searched. */
  const listings = new Map<string, string>()

  const predictCases = async (
    { batch, input, signal }: BatchTask,
    suite: SuiteRecord,
    credential: PlatformCredential,
  ): Promise<BatchRowOutcome> => {
    const { chunk_tokens, is_estimate, retrieval_model } = SweepSetting.parse(input.inputs)
    const startedAt = performance.now()
    const results: PredictedResult[] = []
    let prediction: SuitePrediction
    let page = 1
    do {
      if (signal.aborted) return { is: 'unsent' }
      prediction = await predictor.predict(suite, credential, {
        page: page++,
        limit: CASES_PER_PAGE,
        segments: [],
        is_estimate,
        retrieval_model,
        chunking: chunk_tokens === null ? null : { max_tokens: chunk_tokens, separator: null, chunk_overlap: 0 },
        listing: listings.get(batch.id),
      })
      if (prediction.source === 'none') return { is: 'refused', problem: NOT_PREDICTABLE_PROBLEM, sent: false }
      if (prediction.listing !== null) listings.set(batch.id, prediction.listing)
      results.push(...prediction.data)
    } while (prediction.has_more && results.length < MAX_SWEPT_CASES)
    const result: SweepResult = {
      source: prediction.source,
      results: results.slice(0, MAX_SWEPT_CASES).map(({ case_name: _, ...predicted }) => predicted),
    }
    return toSucceededRow(result, Math.round(performance.now() - startedAt))
  }

  return {
    async execute(task) {
      try {
        const suite = await suites.get(task.batch.settings?.suite ?? '', null)
        const credential = await vault.getCredential(task.batch.key_id ?? '')
        return await predictCases(task, suite, credential).catch((error: unknown) => {
          if (error instanceof ProblemError) return toFailedRow(error.problem, null)
          throw error
        })
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return { is: 'refused', problem: error.problem, sent: false }
      }
    },
    async onEnded(batch_id) {
      listings.delete(batch_id)
    },
  }
}

const CASES_PER_PAGE = Math.min(50, MAX_DRY_RUN_QUERIES)

const NOT_PREDICTABLE_PROBLEM: Problem = {
  kind: 'invalid',
  message: 'The platform has no dry run, and its segments cannot be searched here.',
}
