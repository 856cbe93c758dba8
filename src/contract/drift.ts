import { z } from 'zod'

/** One way in which a reply differs from the contract. It is news about the platform, never an error. */
export interface Drift {
  /** Where, with indices folded: `data[].indexing_status`. */
  path: string
  /** `field`: one that the contract does not name; `word`: one outside a known set; `type`: another than was said; `missing`: a field that must be there. */
  kind: 'field' | 'word' | 'type' | 'missing'
  /** What stood there first, cut to a size that can be kept. */
  sample: unknown
}

/** However large and strange a reply is, so much of it is looked at and so much is told. */
export const BOUNDS = { depth: 32, values: 20_000, drifts: 50 }

/** Walks a reply beside its schema and yields what the contract does not know, each difference once. */
export function* drift(schema: z.ZodType, value: unknown, path = ''): Generator<Drift> {
  const told = new Set<string>()
  for (const one of differences(schema, value, path, { depth: BOUNDS.depth, walk: { left: BOUNDS.values } })) {
    const key = JSON.stringify([one.path, one.kind, one.kind === 'word' ? one.sample : null])
    if (told.has(key)) continue
    told.add(key)
    yield one
    if (told.size >= BOUNDS.drifts) return
  }
}

interface Bounds {
  depth: number
  walk: { left: number }
}

function* differences(schema: z.ZodType, value: unknown, path: string, bounds: Bounds): Generator<Drift> {
  const inner = bare(schema)
  if (bounds.depth === 0 || bounds.walk.left-- <= 0) return
  if (value === undefined || value === null) {
    if (!schema.safeParse(value).success)
      yield { path, kind: value === undefined ? 'missing' : 'type', sample: value ?? null }
    return
  }
  const deeper = { ...bounds, depth: bounds.depth - 1 }
  if (inner instanceof z.ZodUnion) yield* ofUnion(inner, value, path, bounds)
  else if (inner instanceof z.ZodArray && Array.isArray(value))
    for (const item of value) yield* differences(inner.element as z.ZodType, item, `${path}[]`, deeper)
  else if (inner instanceof z.ZodObject && isRecord(value)) yield* ofObject(inner, value, path, deeper)
  else if (inner instanceof z.ZodRecord && isRecord(value))
    for (const [name, field] of Object.entries(value))
      yield* differences(inner.valueType as z.ZodType, field, join(path, name), deeper)
  else yield* ofLeaf(inner, value, path)
}

/** The schema without what only says that it may be left out. */
function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType)
  return schema
}

function* ofUnion(union: z.ZodUnion, value: unknown, path: string, bounds: Bounds): Generator<Drift> {
  const fitting = (union.options as z.ZodType[]).find((option) => option.safeParse(value).success)
  if (fitting) yield* differences(fitting, value, path, bounds)
  else yield { path, kind: 'type', sample: excerpt(value) }
}

function* ofObject(
  object: z.ZodObject,
  value: Record<string, unknown>,
  path: string,
  bounds: Bounds,
): Generator<Drift> {
  const shape = object.shape as Record<string, z.ZodType>
  const known = Object.keys(shape)
  for (const name of known)
    yield* differences(shape[name]!, Object.hasOwn(value, name) ? value[name] : undefined, join(path, name), bounds)
  // An object of which nothing is said may hold anything.
  if (known.length === 0) return
  for (const [name, field] of Object.entries(value))
    if (!Object.hasOwn(shape, name)) yield { path: join(path, name), kind: 'field', sample: excerpt(field) }
}

function* ofLeaf(schema: z.ZodType, value: unknown, path: string): Generator<Drift> {
  if (!schema.safeParse(value).success) {
    yield { path, kind: 'type', sample: excerpt(value) }
    return
  }
  const known = schema.meta()?.known
  if (Array.isArray(known) && !known.includes(value)) yield { path, kind: 'word', sample: excerpt(value) }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const NAME_LENGTH = 100
const join = (path: string, name: string): string =>
  path === '' ? name.slice(0, NAME_LENGTH) : `${path}.${name.slice(0, NAME_LENGTH)}`

const TEXT_LENGTH = 200
const ITEMS = 5

/** Enough of a value to know it by: the beginning of a text, the first items and fields, three levels. */
function excerpt(value: unknown, levels = 3): unknown {
  if (typeof value === 'string') return value.length > TEXT_LENGTH ? `${value.slice(0, TEXT_LENGTH)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, ITEMS).map((item) => excerpt(item, levels - 1))
  const fields = Object.entries(value).slice(0, ITEMS)
  return Object.fromEntries(fields.map(([name, field]) => [name.slice(0, NAME_LENGTH), excerpt(field, levels - 1)]))
}
