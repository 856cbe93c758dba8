import { z } from 'zod'
import { type Endpoint, isForm } from './endpoint.ts'
import { contract } from './index.ts'
import { toInvalidProblem } from './problem.ts'

const { console: _, ...platform } = contract

/** Every platform entry by its name, optional ones included. */
export const platformEntryList: [string, Endpoint][] = Object.entries(platform).flatMap(([room, group]) =>
  Object.entries(group).map(([name, entry]): [string, Endpoint] => [`${room}.${name}`, entry as Endpoint]),
)

export const bodySchema = (entry: Endpoint): z.ZodType | undefined =>
  isForm(entry.body) ? entry.body.data : entry.body

/** The paths of the fields that a schema rejects, undefined if it accepts the value. */
export const findRefusedFields = (
  schema: z.ZodType | undefined,
  value: unknown,
  part: string,
): string[] | undefined => {
  const result = schema?.safeParse(value)
  return result && !result.success ? toInvalidProblem(part, result.error).fields?.map(({ path }) => path) : undefined
}

export const SAMPLE_ID = '0190b6a0-1111-7abc-8def-0123456789ab'

/** Minimal input and output of an entry, generated from its schemas: required fields only, for tests. */
export const makeSamples = (entry: Endpoint) => ({
  params: makeMinimalValue(entry.params),
  query: entry.query && makeMinimalValue(entry.query),
  body: entry.body && makeMinimalValue(isForm(entry.body) ? entry.body.data : entry.body),
  reply: makeMinimalValue(entry.reply),
})

export function makeMinimalValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodObject) return makeMinimalObject(schema)
  const tried: unknown[] = [SAMPLE_ID, 1, true, null, [], {}, { key: 'value' }]
  const options: unknown[] =
    schema instanceof z.ZodEnum
      ? schema.options
      : schema instanceof z.ZodLiteral
        ? [...schema.values]
        : ((schema.meta()?.known ?? []) as unknown[])
  const list = schema instanceof z.ZodArray ? [[makeMinimalValue(schema.element as z.ZodType)]] : []
  return [...list, ...options, ...tried].find((value) => schema.safeParse(value).success)
}

/** A refinement across several fields may require a field that is optional by itself. */
function makeMinimalObject(schema: z.ZodObject): unknown {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
  const optional = fields.filter(([, field]) => field.safeParse(undefined).success)
  const required = fields.filter((field) => !optional.includes(field))
  const sample = Object.fromEntries(required.map(([name, field]) => [name, makeMinimalValue(field)]))
  const more = optional.map(([name, field]) => ({ ...sample, [name]: makeMinimalValue(field) }))
  return [sample, ...more].find((value) => schema.safeParse(value).success)
}
