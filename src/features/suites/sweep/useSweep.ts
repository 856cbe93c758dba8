import { useEffect, useRef, useState } from 'react'
import {
  type PredictedResult,
  predictionEndpoints,
  type SuitePrediction,
} from '#contract/console/experiments/predictions.ts'
import type { EndpointBody } from '#contract/endpoint.ts'
import type { Suite } from '#contract/console/suites.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { call } from '../../../client/http.ts'
import type { SweepSetting } from './sweepSettings.ts'

/** Questions of a sweep; the page waits for each of them with each setting. */
export const MAX_SWEPT_CASES = 200
const PAGE_SIZE_ROWS = 50

export interface SweptSetting extends SweepSetting {
  source: SuitePrediction['source']
  results: PredictedResult[]
}

export interface SweepState {
  status: 'idle' | 'running' | 'failed' | 'done'
  rows: SweptSetting[]
  /** How many settings there are. */
  total: number
  problem: Problem | null
  /** Why nothing can be predicted. */
  obstacle: SuitePrediction['reason']
}

const IDLE: SweepState = { status: 'idle', rows: [], total: 0, problem: null, obstacle: null }

/** Runs the cases of a suite with each setting, one after another, while the page is open. */
export function useSweep(suite: Suite, toModel: (setting: SweepSetting) => SweepModel) {
  const [state, setState] = useState<SweepState>(IDLE)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  const start = async (settings: readonly SweepSetting[]) => {
    controller.current?.abort()
    const { signal } = (controller.current = new AbortController())
    const rows: SweptSetting[] = []
    const report = (change: Partial<SweepState>) => {
      if (!signal.aborted) setState({ ...IDLE, rows: [...rows], total: settings.length, ...change })
    }
    report({ status: 'running' })
    try {
      let listing: string | null = null
      for (const setting of settings) {
        const swept = await sweepSetting(suite, setting, toModel(setting), listing, signal)
        listing = swept.listing
        if (swept.source === 'none') return report({ status: 'done', obstacle: swept.reason ?? 'not_listed' })
        rows.push({ ...setting, source: swept.source, results: swept.results })
        report({ status: 'running' })
      }
      report({ status: 'done' })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ProblemError)) throw error
      report({ status: 'failed', problem: error.problem })
    }
  }
  const cancel = () => {
    controller.current?.abort()
    setState(({ rows, total }) => ({ ...IDLE, rows, total, status: 'done' }))
  }
  return { state, start, cancel }
}

type PredictionBody = EndpointBody<typeof predictionEndpoints.predictSuite>
export type SweepModel = PredictionBody['retrieval_model']

/** @param known the listing that an estimate of an earlier setting searched */
async function sweepSetting(
  suite: Suite,
  setting: SweepSetting,
  retrieval_model: SweepModel,
  known: string | null,
  signal: AbortSignal,
) {
  const { chunk_tokens, isEstimate } = setting
  const results: PredictedResult[] = []
  let listing = known
  for (let page = 1; ; page++) {
    const body: PredictionBody = {
      page,
      limit: PAGE_SIZE_ROWS,
      is_estimate: isEstimate,
      retrieval_model: retrieval_model ?? null,
      chunking: chunk_tokens === null ? null : { max_tokens: chunk_tokens },
      listing: listing ?? undefined,
    }
    const reply = await call(predictionEndpoints.predictSuite, { params: { suite_id: suite.id }, body }, { signal })
    results.push(...reply.data)
    listing = reply.listing
    if (!reply.has_more || results.length >= MAX_SWEPT_CASES)
      return { source: reply.source, reason: reply.reason, listing, results: results.slice(0, MAX_SWEPT_CASES) }
  }
}
