import { type Check, type CheckType, parseCheckType } from '#contract/console/checks.ts'
import { pickRunFigures } from '#contract/console/runs.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import type { CheckedRun } from '#domain/checks/checkedResult.ts'
import { getDriftSeverity } from '#domain/contractDrift/driftFacts.ts'
import { type DriftObservation, observeEvent, observeReply } from '#domain/contractDrift/observeReply.ts'
import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import type { CallRow } from '../ledger/callRow.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type FoldState, getWorkflow, isAnswerState, isCompleteState } from '../ledger/runStatus.ts'

/** A run as the checks see it, from its call in the ledger; null without any answer. */
export async function readCheckedRun(
  ledger: Ledger,
  call: CallRow,
  checks: readonly Check[],
): Promise<CheckedRun | null> {
  const state = call.answer as FoldState | null | undefined
  if (!state || call.status === 'refused' || (call.frames === 0 && !state.ended)) return null
  const { status } = call
  const workflow = getWorkflow(state)
  const isStreamed = call.response_mode === 'streaming'
  const needs = (name: CheckType) => checks.some(({ type }) => parseCheckType(type).type === name)
  return {
    status,
    text: toAnswerText(state),
    outputs: workflow.outputs,
    hasTerminalEvent: isStreamed ? isCompleteState(state) : null,
    workflow: isAnswerState(state) && workflow.workflow_run_id === null ? null : workflow,
    ...pickRunFigures(call),
    longest_stall_ms: isStreamed && needs('longest-stall') ? await measureLongestStall(ledger, call.id) : null,
    drifts: needs('no-drift') ? await listDrifts(ledger, call) : null,
  }
}

/** The answer, or the outputs of a workflow without text. */
export function toAnswerText(state: FoldState): string {
  if (isAnswerState(state) || state.text !== '') return state.text
  const outputs = Object.values((state.outputs ?? {}) as Record<string, unknown>)
  const [only] = outputs
  return outputs.length === 1 && typeof only === 'string' ? only : JSON.stringify(state.outputs ?? null)
}

const PAGE_SIZE_FRAMES = 2_000
const PAGE_SIZE_BYTES = 4_000_000

async function* readFrames(ledger: Ledger, run_id: string) {
  for await (const page of ledger.readFramePages(run_id, PAGE_SIZE_FRAMES, PAGE_SIZE_BYTES)) yield* page
}

/** Milliseconds; null without stored frames. */
async function measureLongestStall(ledger: Ledger, run_id: string): Promise<number | null> {
  let longest: number | null = null
  let lastAt: number | null = null
  for await (const { at } of readFrames(ledger, run_id)) {
    longest = Math.max(longest ?? 0, at - (lastAt ?? at))
    lastAt = at
  }
  return longest
}

/**
 * Differences from the contract that may break a reader of the stream or reply; null if neither is stored. New fields
 * break nothing.
 */
async function listDrifts(ledger: Ledger, call: CallRow): Promise<string[] | null> {
  const observations: DriftObservation[] = []
  let isStored = false
  for await (const { block } of readFrames(ledger, call.id)) {
    isStored = true
    observations.push(...observeEvent(call.entry, parseBlockEvent(block), new Map()))
  }
  const entry = platformEntries.get(call.entry)
  if (!isStored && entry && call.reply !== null && call.reply !== undefined) {
    isStored = true
    observations.push(...observeReply(entry, call.http_status ?? 200, call.reply, new Map()))
  }
  return isStored ? [...new Set(observations.filter(isNotice).map(toDriftText))] : null
}

const isNotice = (observation: DriftObservation): boolean => getDriftSeverity(observation) === 'notice'

const toDriftText = ({ kind, event, path, value }: DriftObservation): string =>
  [kind, event, path, value].filter((part) => part !== null && part !== '').join(' ')
