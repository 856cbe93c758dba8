import type { Check } from '#contract/console/checks.ts'
import type { RunStatus, RunFigures } from '#contract/console/runs.ts'
import type { CaseExpectation, RetrievedPassage } from '#contract/console/suites.ts'
import type { RunState } from '../workflowRun/runState.ts'

/** The result of a case, as the checks see it. */
export interface CheckedResult {
  expected: CaseExpectation
  /** Best first; null where nothing was retrieved or reported. */
  found: readonly RetrievedPassage[] | null
  /** The run of an app; null for a retrieval. */
  run: CheckedRun | null
  /** The judgements, for the checks that have a judge. */
  judgements?: ReadonlyMap<Check, Judgement>
}

/** The judgement of a judge; an error if it cannot be decided. */
export type Judgement = { score: CheckScore; run: string | null } | { error: string; run: string | null }

/** An ended run, from its call in the ledger; null for what the platform did not report. */
export interface CheckedRun extends RunFigures {
  status: RunStatus
  /** The answer; of a workflow its streamed text, else its only output if that is a text, else its outputs as JSON. */
  text: string
  outputs: unknown
  /** Whether the terminal event of its stream was received. Null if it was not streamed. */
  hasTerminalEvent: boolean | null
  /** Null for an app without a workflow. */
  workflow: Pick<RunState, 'nodes' | 'exceptions_count' | 'paused' | 'forms'> | null
  /** The longest time between two of its frames. */
  longest_stall_ms: number | null
  /** Differences of its stream from the contract; null if unknown. */
  drifts: readonly string[] | null
}

/** The outcome of a check before negation, threshold and weight. */
export interface CheckScore {
  /** From 0 to 1 for most types. */
  score: number
  /** The minimum score to pass, if the check has no threshold. */
  threshold: number
  /** The threshold is the maximum to pass. */
  isLimit?: true
  /** It does not pass, whatever its score. */
  isRejected?: true
  reason: string
}

/** A check that cannot be decided. */
export class UndecidableCheckError extends Error {}
