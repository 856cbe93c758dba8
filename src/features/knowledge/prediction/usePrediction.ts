import { useEffect, useRef, useState } from 'react'
import type { EndpointBody } from '#contract/endpoint.ts'
import { predictionEndpoints, type SuitePrediction } from '#contract/console/experiments/predictions.ts'
import type { Suite } from '#contract/console/suites.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { type PredictedCase, pairPredictions } from '#domain/experiments/predictedChanges.ts'
import { call } from '../../../client/http.ts'

/** What would be saved. */
export type PredictedEdit = Pick<EndpointBody<typeof predictionEndpoints.predictSuite>, 'segments' | 'retrieval_model'>

/** Questions that are checked at most; a person waits for them. */
export const MAX_PREDICTED_CASES = 300
const PAGE_SIZE_ROWS = 25

export interface CheckedCase extends PredictedCase {
  suite: Suite
}

type PredictionState =
  | { status: 'idle' }
  | { status: 'running'; checked: number }
  | { status: 'failed'; problem: Problem }
  | { status: 'done'; source: SuitePrediction['source']; reason: SuitePrediction['reason']; cases: CheckedCase[] }

/** Checks the cases of suites with and without an edit. An edit that goes on ends the check, and hides its result. */
export function usePrediction(keyId: string, suites: readonly Suite[], edit: PredictedEdit) {
  const editKey = JSON.stringify(edit)
  const [checked, setChecked] = useState<{ editKey: string; state: PredictionState } | null>(null)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [editKey])
  const isCurrent = checked?.editKey === editKey
  const state: PredictionState = isCurrent ? checked.state : { status: 'idle' }

  const start = async () => {
    controller.current?.abort()
    const { signal } = (controller.current = new AbortController())
    const report = (next: PredictionState) => {
      if (!signal.aborted) setChecked({ editKey, state: next })
    }
    report({ status: 'running', checked: 0 })
    try {
      report(
        await predictSuites({
          keyId,
          suites,
          edit,
          signal,
          onChecked: (n) => report({ status: 'running', checked: n }),
        }),
      )
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ProblemError)) throw error
      report({ status: 'failed', problem: error.problem })
    }
  }
  const cancel = () => {
    controller.current?.abort()
    setChecked(null)
  }
  return { state, isOutdated: checked !== null && !isCurrent, start, cancel }
}

interface PredictionRun {
  keyId: string
  suites: readonly Suite[]
  edit: PredictedEdit
  signal: AbortSignal
  onChecked: (count: number) => void
}

async function predictSuites({ keyId, suites, edit, signal, onChecked }: PredictionRun): Promise<PredictionState> {
  const cases: CheckedCase[] = []
  let source: SuitePrediction['source'] = 'dry_run'
  // All suites are of one dataset, which an estimate lists once.
  let listing: string | undefined
  for (const suite of suites)
    for (let page = 1, hasMore = true; hasMore && cases.length < MAX_PREDICTED_CASES; page++) {
      const params = { suite_id: suite.id }
      const body = { key: keyId, page, limit: PAGE_SIZE_ROWS }
      const predict = async (change: PredictedEdit) => {
        const given = { params, body: { ...body, ...change, listing } }
        const prediction = await call(predictionEndpoints.predictSuite, given, { signal })
        listing = prediction.listing ?? undefined
        return prediction
      }
      const before = await predict({})
      const after = await predict(edit)
      if (after.source === 'none') return { status: 'done', source: 'none', reason: after.reason, cases: [] }
      if (after.source === 'estimate') source = 'estimate'
      cases.push(...pairPredictions(before.data, after.data).map((one) => ({ ...one, suite })))
      onChecked(cases.length)
      hasMore = after.has_more
    }
  return { status: 'done', source, reason: null, cases: cases.slice(0, MAX_PREDICTED_CASES) }
}
