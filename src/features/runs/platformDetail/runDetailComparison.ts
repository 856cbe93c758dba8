import type { EndpointReply } from '#contract/endpoint.ts'
import type { workflowEndpoints } from '#contract/platform/workflows.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { parseJsonText } from '#domain/workflowRun/runDetail.ts'

/** The reply of operation 12. */
export type RunDetail = EndpointReply<typeof workflowEndpoints.readRun>

const COMPARED_FIELDS = [
  'status',
  'error',
  'elapsed_time',
  'total_tokens',
  'total_steps',
  'created_at',
  'finished_at',
  'inputs',
  'outputs',
] as const

/** One field of a run: the value from its stream, and the platform's current value. */
export interface ComparedField {
  name: (typeof COMPARED_FIELDS)[number]
  streamed: unknown
  now: unknown
  differs: boolean
}

/**
 * The fields of a run from both sources. Operation 12 may return inputs and outputs as JSON text; they are parsed
 * before the comparison.
 */
export const compareRunDetail = (run: RunState, detail: RunDetail): ComparedField[] =>
  COMPARED_FIELDS.map((name) => {
    const streamed = parseJsonText(run[name])
    const now = parseJsonText(detail[name])
    const compared = name === 'inputs' ? withoutAddedVariables(now, streamed) : now
    return { name, streamed, now, differs: toComparableText(streamed) !== toComparableText(compared) }
  })

/** The inputs now, without the platform's own variables that it added after the stream, such as `sys.timestamp`. */
function withoutAddedVariables(now: unknown, streamed: unknown): unknown {
  const [before, after] = [asRecord(streamed), asRecord(now)]
  if (!before || !after) return now
  return Object.fromEntries(
    Object.entries(after).filter(([name]) => Object.hasOwn(before, name) || !name.startsWith('sys.')),
  )
}

/** Serializes a value independent of key order; times are rounded to milliseconds. */
const toComparableText = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === 'number') return Number.isInteger(part) ? part : Number(part.toFixed(3))
    const record = asRecord(part)
    if (!record) return part
    return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
