import { z } from 'zod'
import { type Endpoint, isForm } from './endpoint.ts'
import { contract } from './index.ts'
import { invalid } from './problem.ts'

const { console: _, ...platform } = contract

/** Every entry of a platform by its name, adjacent ones included. */
export const entries: [string, Endpoint][] = Object.entries(platform).flatMap(([room, group]) =>
  Object.entries(group).map(([name, entry]): [string, Endpoint] => [`${room}.${name}`, entry as Endpoint]),
)

export const bodySchema = (entry: Endpoint): z.ZodType | undefined =>
  isForm(entry.body) ? entry.body.data : entry.body

/** The paths of the fields that a schema refuses, undefined when it refuses none. */
export const refusal = (schema: z.ZodType | undefined, value: unknown, part: string): string[] | undefined => {
  const result = schema?.safeParse(value)
  return result && !result.success ? invalid(part, result.error).fields?.map(({ path }) => path) : undefined
}

export const id = '0190b6a0-1111-7abc-8def-0123456789ab'

/** The least that an entry takes and gives, made from its schemas: required fields alone, for tests. */
export const samples = (entry: Endpoint) => ({
  params: least(entry.params),
  query: entry.query && least(entry.query),
  body: entry.body && least(isForm(entry.body) ? entry.body.data : entry.body),
  reply: least(entry.reply),
})

export function least(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodObject) return leastObject(schema)
  const tried: unknown[] = [id, 1, true, null, [], {}, { key: 'value' }]
  const options = schema instanceof z.ZodEnum ? schema.options : []
  const list = schema instanceof z.ZodArray ? [[least(schema.element as z.ZodType)]] : []
  return [...list, ...options, ...tried].find((value) => schema.safeParse(value).success)
}

/** A rule over several fields may want one more than those that are required by themselves. */
function leastObject(schema: z.ZodObject): unknown {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
  const optional = fields.filter(([, field]) => field.safeParse(undefined).success)
  const required = fields.filter((field) => !optional.includes(field))
  const sample = Object.fromEntries(required.map(([name, field]) => [name, least(field)]))
  const more = optional.map(([name, field]) => ({ ...sample, [name]: least(field) }))
  return [sample, ...more].find((value) => schema.safeParse(value).success)
}
