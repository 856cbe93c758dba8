import { asRecord } from '../stream/untrustedJson.ts'
import { excerpt, redactByName } from './excerpt.ts'
import { joinPath, type SchemaNode, getSchemaTree } from './schemaTree.ts'
import type { z } from 'zod'
import type { Release } from '#contract/platform/schemas.ts'

/** One difference between a reply and the contract. It is information about the platform, never an error. */
export interface Drift {
  /** The path, with indices folded: `data[].indexing_status`. */
  path: string
  /**
   * `field`: unknown field; `word`: unknown enum value; `type`: another type than the contract's; `missing`: a required
   * field is absent.
   */
  kind: 'field' | 'word' | 'type' | 'missing'
  /** The first value found there, shortened for storage. */
  sample: unknown
}

/** Limits of what is examined and reported in a large or strange reply. */
export const DRIFT_LIMITS = { maxValues: 20_000, maxDrifts: 50 }

/**
 * Walks a reply along its schema and reports everything that is not in the contract, each difference once. Parts of
 * the contract in the reply are added to `seen`, by the names of `unseen`.
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

/** Unobserved fields and enum values of a schema. Children of an unobserved field are not listed. */
export function listUnseenPaths(schema: z.ZodType, seen: ReadonlySet<string>): UnseenPath[] {
  return [...walkUnseen(getSchemaTree(schema), seen)]
}

interface UnseenPath {
  path: string
  /** The enum value, if it is one. */
  word: string | null
  /** The earliest recorded release that sends it, if the interface document lacks it. */
  since: Release | null
}

function* walkUnseen(shape: SchemaNode, seen: ReadonlySet<string>): Generator<UnseenPath> {
  const since = shape.since ?? null
  if (!seen.has(shape.path)) {
    yield { path: shape.path, word: null, since }
    return
  }
  for (const [word, name] of shape.knownValues ?? []) if (!seen.has(name)) yield { path: shape.path, word, since }
  for (const inner of shape.fields?.values() ?? []) yield* walkUnseen(inner, seen)
  if (shape.item) yield* walkUnseen(shape.item, seen)
}

/**
 * Whether walking `one` would report exactly what walking `other` did: they have the same fields, and differing
 * values are of a type with free content. Frames of a stream mostly differ only in text, and comparing is much
 * cheaper than walking.
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

/** `given` is the actual path if it differs from the contract's, as below a free name. */
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
  const record = asRecord(value)
  if (shape.options) {
    const fitting = shape.options.find((option) => option.accepts(value))
    if (fitting) walk(fitting, value, given, walkState)
    else walkState.report(path, 'type', value)
  } else if (shape.item && shape.type === 'list' && Array.isArray(value)) {
    for (const item of value) walk(shape.item, item, given === null ? null : `${given}[]`, walkState)
  } else if (shape.fields && record) walkFields(shape.fields, record, shape.path, given, walkState)
  else if (shape.item && shape.type === 'names' && record)
    for (const name of Object.keys(record)) walk(shape.item, record[name], joinPath(path, name), walkState)
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
  // An object without a schema may contain anything.
  if (fields.size === 0) return
  for (const name of Object.keys(value))
    if (!fields.has(name)) walkState.report(joinPath(given ?? at, name), 'field', value[name])
}
