import type { RunDetailSource, RunState } from './runState.ts'
import { foldRun } from './workflowEvents.ts'
import { asId, asJson, asRecord } from '../stream/untrustedJson.ts'

/** The words of a platform for a run that will say no more. */
const FINAL_STATUSES = ['succeeded', 'failed', 'stopped', 'partial-succeeded']

/** A platform answers for a run that it does not know with 404, or with a record in which nothing is given. */
export function isEmptyDetail(detail: unknown): boolean {
  const { inputs: _inputs, outputs: _outputs, ...rest } = asRecord(detail) ?? {}
  return Object.values(rest).every((value) => value === null || value === undefined)
}

/** Whether what operation 12 says of a run is an end, or a pause, after which nothing more comes by itself. */
export const isFinalDetail = (detail: unknown): boolean => {
  const status = asId(asRecord(detail)?.status)
  return status !== null && (FINAL_STATUSES.includes(status) || status === 'paused')
}

/**
 * Takes what operation 12 says of a run into it, as its end or, while it tells none, as its state. What the stream said
 * stays where the platform says nothing. Inputs and outputs may be JSON text.
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
  return { ...foldRun({ ...run, inputs }, reply), told: source }
}

/** Text that is a JSON object or list as that; anything else as it is, nothing as null. */
export function parseJsonText(value: unknown): unknown {
  if (value === undefined || value === '') return null
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
