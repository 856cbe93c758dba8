import { z } from 'zod'
import { type Check, type JsonCheckType, parseCheckType } from '#contract/console/checks.ts'
import { type CheckedRun, type CheckScore, UndecidableCheckError } from './checkedResult.ts'
import { findJsonEnd, findJsonPath, isEqualJson, isReadablePath, parseJsonText, PATH_MESSAGE } from './jsonValue.ts'
import { requireText, toBoolean, toExcerpt } from './textChecks.ts'
import { toPlainNumbers } from '../losslessJson.ts'
import { asRecord } from '../stream/untrustedJson.ts'

/** @throws UndecidableCheckError */
export function evaluateJsonCheck(type: JsonCheckType, check: Check, run: CheckedRun): CheckScore {
  const text = requireText(run)
  if (type === 'json-path')
    return evaluateJsonPath({ answer: parseJsonText(text) ?? text, outputs: run.outputs }, check)
  const schema = check.value === undefined ? null : toSchema(check.value)
  if (type === 'is-json') {
    const value = parseJsonText(text)
    if (value === undefined) return { ...toBoolean(false), reason: 'The answer is not JSON.' }
    const fault = schema && findSchemaFault(schema, value)
    return { ...toBoolean(!fault), reason: fault ?? 'The answer is JSON.' }
  }
  const values = findJsonInText(text)
  const isFound = values.some((value) => !schema || findSchemaFault(schema, value) === null)
  const reason = isFound
    ? 'The answer contains JSON.'
    : values.length > 0
      ? 'No JSON in the answer matches the schema.'
      : 'The answer contains no JSON.'
  return { ...toBoolean(isFound), reason }
}

/** Whether a value at the path equals that of the check; one of several values is enough. */
export function evaluateJsonPath(root: unknown, { path = '', value }: Check): CheckScore {
  const found = findJsonPath(root, path)
  if (!found) throw new UndecidableCheckError(`\`path\` ${PATH_MESSAGE}.`)
  if (found.length === 0) return { ...toBoolean(false), reason: `No value at ${path}.` }
  const isMet = value === undefined || found.some((one) => isEqualJson(one, value))
  return { ...toBoolean(isMet), reason: `Value at ${path}: ${toExcerpt(JSON.stringify(found[0]))}.` }
}

export interface UnreadableParameter {
  field: string
  message: string
}

/** The fault of a check that can never be decided: its schema or path cannot be read. */
export function findUnreadableParameter({ type, value, path }: Check): UnreadableParameter | null {
  const { type: name } = parseCheckType(type)
  if (!isReadablePath(path)) return { field: 'path', message: PATH_MESSAGE }
  if ((name !== 'is-json' && name !== 'contains-json') || value === undefined) return null
  try {
    toSchema(value)
    return null
  } catch (error) {
    if (!(error instanceof UndecidableCheckError)) throw error
    return { field: 'value', message: error.message }
  }
}

const MAX_SCHEMA_PARTS = 500

/** The lists and objects in a value. */
const countParts = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((count: number, part) => count + countParts(part), 1)
    : 0

/** @throws UndecidableCheckError for a value that is not a JSON Schema, is too large, or has unsupported keywords */
function toSchema(value: unknown): z.ZodType {
  if (countParts(value) > MAX_SCHEMA_PARTS)
    throw new UndecidableCheckError(`must be a JSON Schema of at most ${MAX_SCHEMA_PARTS} objects and lists`)
  try {
    return z.fromJSONSchema(declareRequiredNames(toPlainNumbers(value)) as Parameters<typeof z.fromJSONSchema>[0])
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UndecidableCheckError(`must be a JSON Schema: ${message}`)
  }
}

function findSchemaFault(schema: z.ZodType, value: unknown): string | null {
  const [issue] = schema.safeParse(toPlainNumbers(value)).error?.issues ?? []
  return issue ? `${['$', ...issue.path.map(String)].join('.')}: ${issue.message}` : null
}

/** Maximum positions in a text at which JSON may begin. */
const MAX_JSON_STARTS = 50

/** The outermost objects and lists in a text. */
export function findJsonInText(text: string): unknown[] {
  const values: unknown[] = []
  const starts = /[[{]/g
  for (let tried = 0; tried < MAX_JSON_STARTS; tried++) {
    const start = starts.exec(text)
    if (!start) break
    const end = findJsonEnd(text, start.index)
    const value = end === -1 ? undefined : parseJsonText(text.slice(start.index, end))
    if (value === undefined) continue
    values.push(value)
    starts.lastIndex = end
  }
  return values
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const NESTED_KEYWORDS = ['items', 'prefixItems', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf', 'contains']
const NAMED_KEYWORDS = ['properties', 'patternProperties', '$defs', 'definitions']
const OTHER_TYPES = ['array', 'string', 'number', 'boolean', 'null']

/**
 * A JSON Schema in which every required name is declared, and object keywords imply the type: the library ignores
 * both otherwise.
 */
function declareRequiredNames(schema: unknown): unknown {
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
