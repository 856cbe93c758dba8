import { asRecord } from '../stream/untrustedJson.ts'

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const NESTED_KEYWORDS = ['items', 'prefixItems', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf', 'contains']
const NAMED_KEYWORDS = ['properties', 'patternProperties', '$defs', 'definitions']
const OTHER_TYPES = ['array', 'string', 'number', 'boolean', 'null']

/**
 * A JSON Schema in which every required name is declared, and what is said of objects has their type: the library ignores
 * both otherwise.
 */
export function declareRequiredNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(declareRequiredNames)
  const record = asRecord(schema)
  if (!record) return schema
  const declared: Record<string, unknown> = { ...record }
  for (const keyword of NESTED_KEYWORDS)
    if (keyword in record) declared[keyword] = declareRequiredNames(record[keyword])
  for (const keyword of NAMED_KEYWORDS) {
    const named = asRecord(record[keyword])
    if (named)
      declared[keyword] = Object.fromEntries(
        Object.entries(named).map(([name, value]) => [name, declareRequiredNames(value)]),
      )
  }
  if (!('properties' in record) && !('required' in record)) return declared
  const required = Array.isArray(record.required) ? record.required.filter((name) => typeof name === 'string') : []
  const properties = {
    ...Object.fromEntries(required.map((name) => [name, {}])),
    ...asRecord(declared.properties),
  }
  return 'type' in record
    ? { ...declared, properties }
    : { anyOf: [{ ...declared, properties, type: 'object' }, { type: OTHER_TYPES }] }
}
