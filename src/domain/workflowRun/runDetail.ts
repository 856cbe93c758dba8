import type { AnswerState } from '../answer/answerState.ts'
import type { RunDetailSource, RunState } from './runState.ts'
import { foldRun } from './workflowEvents.ts'
import { asId, asJson, asRecord } from '../stream/untrustedJson.ts'
import { parseLosslessJson } from '../losslessJson.ts'
import { getRecordedAnswer, withRecordedAnswer } from './wholeText.ts'

/** Final statuses of a run on the platform. */
const FINAL_STATUSES = ['succeeded', 'failed', 'stopped', 'partial-succeeded']

/** For an unknown run a platform returns 404, or a record with empty fields. */
export function isEmptyDetail(detail: unknown): boolean {
  const { inputs: _inputs, outputs: _outputs, ...rest } = asRecord(detail) ?? {}
  return Object.values(rest).every((value) => value === null || value === undefined)
}

/** Whether operation 12 reports an end, or a pause, after which nothing follows without an action. */
export const isFinalDetail = (detail: unknown): boolean => {
  const status = asId(asRecord(detail)?.status)
  return status !== null && (FINAL_STATUSES.includes(status) || status === 'paused')
}

/**
 * Merges the record of operation 12 into the run, as its end or, if it reports none, as its state. Values of the
 * stream remain where the record has none. Inputs and outputs may be JSON text.
 */
export function applyRunDetail(run: RunState, detail: unknown, source: RunDetailSource): RunState {
  const data = asRecord(asJson(detail))
  if (!data) return run
  const inputs = run.inputs ?? parseJsonText(data.inputs)
  const workflow_run_id = run.workflow_run_id ?? asId(data.id)
  if (!isFinalDetail(data)) {
    const workflow_id = run.workflow_id ?? asId(data.workflow_id)
    return { ...run, workflow_run_id, workflow_id, inputs, status: asId(data.status) ?? run.status, told: source }
  }
  const reply = { workflow_run_id, data: { ...data, outputs: parseJsonText(data.outputs) } }
  return { ...foldRun({ ...run, inputs, ended: false }, reply), told: source }
}

/**
 * A chatflow's answer with the run as operation 12 reports it. Its text is that of the outputs, else `keptText`, the
 * answer in the platform's message list (null if it was not read), else the streamed text.
 */
export function completeAnswer(answer: AnswerState, run: RunState, keptText: string | null): AnswerState {
  if (!run.ended) return { ...answer, run }
  const kept = withRecordedAnswer(answer, keptText)
  return {
    ...(run.paused ? answer : withRecordedAnswer(kept, getRecordedAnswer(run))),
    run,
    problem: run.status === 'failed' ? { status: null, code: null, message: run.error } : null,
    ended: true,
  }
}

/** Parses text that is a JSON object or list; other values unchanged, missing ones as null. */
export function parseJsonText(value: unknown): unknown {
  if (value === undefined || value === '') return null
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return parseLosslessJson(value)
  } catch {
    return value
  }
}
