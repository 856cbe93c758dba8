import type { Check } from '#contract/console/checks.ts'
import { parseCheckType } from '#contract/console/checks.ts'
import type { CheckedRun } from '#domain/checks/checkedResult.ts'
import type { CallRow } from '../ledger/callRow.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type FoldState, getWorkflow, isAnswerState, isCompleteState } from '../ledger/runStatus.ts'

/** A run as the checks see it, from its call in the ledger; null where nothing of an answer came. */
export async function readCheckedRun(
  ledger: Ledger,
  call: CallRow,
  checks: readonly Check[],
): Promise<CheckedRun | null> {
  const state = call.answer as FoldState | null | undefined
  if (!state || call.status === 'refused' || (call.frames === 0 && !state.ended)) return null
  const { status, duration_ms, first_token_ms, total_tokens, total_price, currency } = call
  const workflow = getWorkflow(state)
  const isStreamed = call.response_mode === 'streaming'
  const needsStall = isStreamed && checks.some(({ type }) => parseCheckType(type).type === 'longest-stall')
  return {
    status,
    text: toText(state),
    outputs: workflow.outputs,
    hasTerminalEvent: isStreamed ? isCompleteState(state) : null,
    workflow: isAnswerState(state) && workflow.workflow_run_id === null ? null : workflow,
    duration_ms,
    first_token_ms,
    longest_stall_ms: needsStall ? await measureLongestStall(ledger, call.id) : null,
    total_tokens,
    total_price,
    currency,
  }
}

function toText(state: FoldState): string {
  if (isAnswerState(state) || state.text !== '') return state.text
  const outputs = Object.values((state.outputs ?? {}) as Record<string, unknown>)
  const [only] = outputs
  return outputs.length === 1 && typeof only === 'string' ? only : JSON.stringify(state.outputs ?? null)
}

const PAGE_SIZE_FRAMES = 2_000
const PAGE_SIZE_BYTES = 4_000_000

/** Milliseconds; null where no frame is stored. */
async function measureLongestStall(ledger: Ledger, run_id: string): Promise<number | null> {
  let longest: number | null = null
  let last: { seq: number; at: number } | null = null
  for (;;) {
    const frames = await ledger.readFrames(run_id, last?.seq ?? 0, PAGE_SIZE_FRAMES, PAGE_SIZE_BYTES)
    if (frames.length === 0) return longest
    for (const { seq, at } of frames) {
      longest = Math.max(longest ?? 0, at - (last?.at ?? at))
      last = { seq, at }
    }
  }
}
