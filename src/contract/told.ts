import { foldRun, type RunState } from './run.ts'
import { asId, asJson, asRecord } from './untrusted.ts'

/** That a run is what operation 12 said of it, and not what its own stream or reply said. */
export interface Told {
  /** When the platform was asked, ISO 8601. */
  at: string
  /** It began elsewhere: nothing is known of it but this. */
  elsewhere: boolean
  /** What had become of the call before the platform was asked, in words; null where nothing had. */
  because: string | null
}

/** The words of a platform for a run that will say no more. */
const ENDS = ['succeeded', 'failed', 'stopped', 'partial-succeeded']

/** A platform answers for a run that it does not know with 404, or with a record in which nothing is given. */
export function isBlank(detail: unknown): boolean {
  const { inputs: _inputs, outputs: _outputs, ...rest } = asRecord(detail) ?? {}
  return Object.values(rest).every((value) => value === null || value === undefined)
}

/** Whether what operation 12 says of a run is an end, or a pause, after which nothing more comes by itself. */
export const tellsEnd = (detail: unknown): boolean => {
  const status = asId(asRecord(detail)?.status)
  return status !== null && (ENDS.includes(status) || status === 'paused')
}

/**
 * Takes what operation 12 says of a run into it, as its end or, while it tells none, as its state. What the stream said
 * stays where the platform says nothing. Inputs and outputs may be JSON text.
 */
export function tellRun(run: RunState, detail: unknown, told: Told): RunState {
  const data = asRecord(asJson(detail))
  if (!data) return run
  const inputs = run.inputs ?? parsed(data.inputs)
  const workflow_run_id = run.workflow_run_id ?? asId(data.id)
  if (!tellsEnd(data)) {
    const workflow_id = run.workflow_id ?? asId(data.workflow_id)
    return { ...run, workflow_run_id, workflow_id, inputs, status: asId(data.status) ?? run.status, told }
  }
  const whole = { workflow_run_id, data: { ...data, outputs: parsed(data.outputs) } }
  return { ...foldRun({ ...run, inputs }, whole), told }
}

/** Text that is a JSON object or list as that; anything else as it is, nothing as null. */
export function parsed(value: unknown): unknown {
  if (value === undefined || value === '') return null
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
