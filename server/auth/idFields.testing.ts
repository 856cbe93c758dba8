import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Endpoint, isForm, getPathParamNames } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { contract } from '#contract/index.ts'
import { bodySchema, makeMinimalValue, makeSamples } from '#contract/samples.testing.ts'

/** The path of a value in a part of a request: names, and `[]` for an item of a list. */
export type FieldPath = readonly string[]

export interface IdField {
  part: 'params' | 'query' | 'body'
  path: FieldPath
  /** The name of the field itself. */
  name: string
  /** A value of any shape that may contain an id at any depth; not a field that the contract declares as an id. */
  isFree: boolean
}

const ID_NAME_PATTERN = /(^|_)(id|ids|names|resource|thing|about|parent|not|key|workspace|batch)$/
const SAMPLE_ID = '0190b6a0-2222-7abc-8def-0123456789ab'

/** The contract's entries by the name of their route, `GET /api/runs`. */
export const routeEntries: ReadonlyMap<string, Endpoint> = new Map(
  [
    ...Object.values(contract.console as Record<string, Endpoint>),
    ...[...platformEntries.values()]
      .filter((entry) => !entry.isServerOnly)
      .map((entry) => ({ ...entry, path: `/api/keys/:key_id${entry.path}` })),
  ].map((entry) => [`${entry.method} ${entry.path}`, entry]),
)

/** Every field of an entry that may contain an id, found through its schemas, so a new field needs no registration here. */
export function listIdFields(entry: Endpoint): IdField[] {
  const params = entry.params as z.ZodObject
  return [
    ...getPathParamNames(entry.path)
      .filter((name) => name === 'key_id' || !(params.shape[name] instanceof z.ZodEnum))
      .map((name): IdField => ({ part: 'params', path: [name], name, isFree: false })),
    ...(entry.query ? listLeafFields(entry.query, 'query', []) : []),
    ...(entry.body ? listLeafFields(bodySchema(entry), 'body', []) : []),
  ]
}

function listLeafFields(schema: unknown, part: IdField['part'], path: FieldPath): IdField[] {
  const inner = unwrapSchema(schema)
  if (inner instanceof z.ZodUnion) {
    const all = inner.options.flatMap((option) => listLeafFields(option, part, path))
    return all.filter((one, index) => all.findIndex((other) => other.path.join() === one.path.join()) === index)
  }
  if (inner instanceof z.ZodArray) return listLeafFields(inner.element, part, [...path, '[]'])
  if (inner instanceof z.ZodObject) {
    const fields = Object.entries(inner.shape).flatMap(([name, field]) => listLeafFields(field, part, [...path, name]))
    return allowsOtherFields(inner) ? [...fields, toFreeField(part, [...path, 'any_other'])] : fields
  }
  if (inner instanceof z.ZodUnknown) return [toFreeField(part, path)]
  if (inner instanceof z.ZodRecord)
    return inner.valueType instanceof z.ZodUnknown ? [toFreeField(part, [...path, 'any_name'])] : []
  const name = path.findLast((one) => one !== '[]') ?? ''
  const takesId = (inner as z.ZodType).safeParse(SAMPLE_ID).success
  const isId = takesId && (!(inner as z.ZodType).safeParse('x y').success || ID_NAME_PATTERN.test(name))
  return isId && inner instanceof z.ZodType && isTextSchema(inner) ? [{ part, path, name, isFree: false }] : []
}

const toFreeField = (part: IdField['part'], path: FieldPath): IdField => ({
  part,
  path,
  name: path.at(-1) ?? '',
  isFree: true,
})
const allowsOtherFields = (schema: z.ZodObject) => schema.def.catchall instanceof z.ZodUnknown
const isTextSchema = (schema: z.ZodType) => schema instanceof z.ZodString || schema instanceof z.ZodStringFormat

function unwrapSchema(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapSchema(schema.unwrap())
  return schema
}

/** The minimal valid part of an entry with a value at a path. `fill` supplies the ids of required fields. */
export function withField(
  entry: Endpoint,
  part: 'query' | 'body',
  path: FieldPath,
  value: unknown,
  fill: (name: string) => string,
): unknown {
  const schema = part === 'query' ? entry.query : bodySchema(entry)
  return setAtPath(schema, toSampleRequest(entry, part, fill), path, value, fill)
}

/** The minimal valid part of an entry. */
export const toSampleRequest = (entry: Endpoint, part: 'query' | 'body', fill: (name: string) => string): unknown =>
  fillIds(makeSamples(entry)[part], '', fill)

/** The contract's samples use one id for every id field. */
function fillIds(sample: unknown, name: string, fill: (name: string) => string): unknown {
  if (typeof sample === 'string') return z.guid().safeParse(sample).success ? fill(name) : sample
  if (Array.isArray(sample)) return sample.map((item) => fillIds(item, name, fill))
  if (typeof sample !== 'object' || sample === null) return sample
  return Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, fillIds(value, key, fill)]))
}

function setAtPath(
  schema: unknown,
  sample: unknown,
  path: FieldPath,
  value: unknown,
  fill: (name: string) => string,
): unknown {
  const [head, ...rest] = path
  if (head === undefined) return value
  const inner = unwrapSchema(schema)
  if (inner instanceof z.ZodUnion) {
    const option = inner.options.map(unwrapSchema).find((one) => {
      if (head === '[]') return one instanceof z.ZodArray
      return one instanceof z.ZodRecord || (one instanceof z.ZodObject && (head in one.shape || allowsOtherFields(one)))
    })
    return setAtPath(option, undefined, path, value, fill)
  }
  const start = sample ?? (inner instanceof z.ZodType ? fillIds(makeMinimalValue(inner), head, fill) : undefined)
  if (inner instanceof z.ZodArray)
    return [setAtPath(inner.element, Array.isArray(start) ? start[0] : undefined, rest, value, fill)]
  const record = (start ?? {}) as Record<string, unknown>
  const next = inner instanceof z.ZodObject ? (inner.shape as Record<string, unknown>)[head] : undefined
  return { ...record, [head]: setAtPath(next, record[head], rest, value, fill) }
}

/** A form as a browser sends it (multipart). */
export function toFormRequest(parts: readonly { name: string; text: string; isFile?: boolean }[]) {
  const boundary = `----${randomUUID()}`
  const payload = parts
    .map(({ name, text, isFile }) => {
      const filename = isFile ? '; filename="a.txt"\r\nContent-Type: text/plain' : ''
      return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${text}\r\n`
    })
    .join('')
  return {
    payload: `${payload}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** The fields of an entry's form that hold this `data`. */
export function toFormFields(entry: Endpoint, data: unknown): { name: string; text: string }[] {
  if (!isForm(entry.body) || !entry.body.sendAsTextParts) return [{ name: 'data', text: JSON.stringify(data) }]
  return Object.entries((data ?? {}) as Record<string, unknown>).map(([name, value]) => ({ name, text: String(value) }))
}
