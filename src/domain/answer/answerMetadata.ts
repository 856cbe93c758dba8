import type { z } from 'zod'
import { RetrieverResource, Usage } from '#contract/platform/schemas.ts'
import { asJson, asList, asRecord } from '../stream/untrustedJson.ts'

/** The fields that an answer takes from the `metadata` of `message_end` or of a blocking reply. */
export interface AnswerMetadata {
  usage: Usage | null
  sources: RetrieverResource[]
  annotation_reply: unknown
  metadata: Record<string, unknown>
}

/** Reads metadata; null if there is none. Values of the wrong type remain unchanged in `metadata`. */
export function readMetadata(value: unknown): AnswerMetadata | null {
  const metadata = asRecord(asJson(value))
  if (!metadata) return null
  return {
    usage: parseLoosely(Usage, metadata.usage),
    sources: asList(metadata.retriever_resources).flatMap((source) => parseLoosely(RetrieverResource, source) ?? []),
    annotation_reply: metadata.annotation_reply ?? null,
    metadata,
  }
}

/** The record with fields of the right types: numbers and numeric text are converted, other mismatches become null. */
function parseLoosely<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  value: unknown,
): z.output<typeof schema> | null {
  const record = asRecord(value)
  if (!record) return null
  const fields = Object.entries(record).map(([name, field]) => [
    name,
    Object.hasOwn(schema.shape, name) ? coerceField(schema.shape[name], field) : field,
  ])
  const result = schema.safeParse(Object.fromEntries(fields))
  return result.success ? result.data : null
}

function coerceField(schema: unknown, value: unknown): unknown {
  const field = schema as z.ZodType
  const other =
    typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? Number(value) : null
  return [value, other].find((one) => field.safeParse(one).success) ?? null
}
