import { excerpt, redactByName } from './excerpt.ts'
import { joinPath, type SchemaNode, getSchemaTree } from './schemaTree.ts'
import type { z } from 'zod'

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
export const DRIFT_LIMITS = { maxValues: 20_000, maxDrifts: 50 }

/**
 * Walks a reply beside its schema and tells what the contract does not know, each difference once. What the contract
 * does know and the reply has is put into `seen`, by the names of `unseen`. A frame of ten fields takes microseconds.
 */
export function findDrift(schema: z.ZodType, value: unknown, path = '', seen: Set<string> = new Set()): Drift[] {
  const driftsByKey = new Map<string, Drift>()
  const walkState: DriftWalk = {
    valuesLeft: DRIFT_LIMITS.maxValues,
    seen,
    report: (at, kind, sample) => {
      const key = JSON.stringify([at, kind, kind === 'word' ? sample : null])
      if (driftsByKey.size >= DRIFT_LIMITS.maxDrifts || driftsByKey.has(key)) return
      const name = at.slice(at.lastIndexOf('.') + 1)
      driftsByKey.set(key, { path: at, kind, sample: redactByName(name, sample) ?? excerpt(sample) })
    },
  }
  walk(getSchemaTree(schema), value, path === '' ? null : path, walkState)
  return [...driftsByKey.values()]
}

/** Of a schema, what was not seen: a field, or a word of those that a field may have. What is in an unseen field is not told apart. */
export function listUnseenPaths(schema: z.ZodType, seen: ReadonlySet<string>): { path: string; word: string | null }[] {
  return [...walkUnseen(getSchemaTree(schema), seen)]
}

function* walkUnseen(shape: SchemaNode, seen: ReadonlySet<string>): Generator<{ path: string; word: string | null }> {
  if (!seen.has(shape.path)) {
    yield { path: shape.path, word: null }
    return
  }
  for (const [word, name] of shape.knownValues ?? []) if (!seen.has(name)) yield { path: shape.path, word }
  for (const inner of shape.fields?.values() ?? []) yield* walkUnseen(inner, seen)
  if (shape.item) yield* walkUnseen(shape.item, seen)
}

/**
 * Whether a walk of `one` would tell just what a walk of `other` told: they have the same fields, and where values differ, any
 * value of that type would do. Frames of a stream are alike but for their pieces of text, and comparing costs a tenth of walking.
 */
export function isEquivalentEvent(
  schema: z.ZodType,
  one: Record<string, unknown>,
  other: Record<string, unknown>,
): boolean {
  const { fields } = getSchemaTree(schema)
  if (!fields) return false
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => one[name] === other[name] || mayDiffer(fields.get(name), one[name], other, name))
}

function mayDiffer(
  field: SchemaNode | undefined,
  value: unknown,
  other: Record<string, unknown>,
  name: string,
): boolean {
  if (!Object.hasOwn(other, name)) return false
  if (!field) return true
  return (
    field.type === 'leaf' &&
    !field.knownValues &&
    typeof value === typeof other[name] &&
    isScalar(value) &&
    field.accepts(value)
  )
}

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

interface DriftWalk {
  valuesLeft: number
  seen: Set<string>
  report: (path: string, kind: Drift['kind'], sample: unknown) => void
}

/** `given` is the path where it is another than the contract's, as below a free name: nothing is joined where nothing differs. */
function walk(shape: SchemaNode, value: unknown, given: string | null, walkState: DriftWalk): void {
  if (walkState.valuesLeft-- <= 0) return
  const path = given ?? shape.path
  if (value === undefined || value === null) {
    if (value === null && shape.type === 'leaf') walkState.seen.add(shape.path)
    if (value === undefined ? !shape.isOptional : !shape.isNullable)
      walkState.report(path, value === undefined ? 'missing' : 'type', value ?? null)
    return
  }
  walkState.seen.add(shape.path)
  if (shape.options) {
    const fitting = shape.options.find((option) => option.accepts(value))
    if (fitting) walk(fitting, value, given, walkState)
    else walkState.report(path, 'type', value)
  } else if (shape.item && shape.type === 'list' && Array.isArray(value)) {
    for (const item of value) walk(shape.item, item, given === null ? null : `${given}[]`, walkState)
  } else if (shape.fields && isRecord(value)) walkFields(shape.fields, value, shape.path, given, walkState)
  else if (shape.item && shape.type === 'names' && isRecord(value))
    for (const name of Object.keys(value)) walk(shape.item, value[name], joinPath(path, name), walkState)
  else if (!shape.accepts(value)) walkState.report(path, 'type', value)
  else if (shape.knownValues) {
    const name = shape.knownValues.get(value as string)
    if (name === undefined) walkState.report(path, 'word', value)
    else walkState.seen.add(name)
  }
}

function walkFields(
  fields: ReadonlyMap<string, SchemaNode>,
  value: Record<string, unknown>,
  at: string,
  given: string | null,
  walkState: DriftWalk,
): void {
  for (const [name, field] of fields) {
    const one = Object.hasOwn(value, name) ? value[name] : undefined
    if (one !== undefined || !field.isOptional)
      walk(field, one, given === null ? null : joinPath(given, name), walkState)
  }
  // An object of which nothing is said may hold anything.
  if (fields.size === 0) return
  for (const name of Object.keys(value))
    if (!fields.has(name)) walkState.report(joinPath(given ?? at, name), 'field', value[name])
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
