import { excerpt, withheld } from './excerpt.ts'
import { join, type Shape, shapeOf } from './shape-of.ts'
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
export const BOUNDS = { values: 20_000, drifts: 50 }

/**
 * Walks a reply beside its schema and tells what the contract does not know, each difference once. What the contract
 * does know and the reply has is put into `seen`, by the names of `unseen`. A frame of ten fields takes microseconds.
 */
export function drift(schema: z.ZodType, value: unknown, path = '', seen: Set<string> = new Set()): Drift[] {
  const found = new Map<string, Drift>()
  const look: Look = {
    left: BOUNDS.values,
    seen,
    tell: (at, kind, sample) => {
      const key = JSON.stringify([at, kind, kind === 'word' ? sample : null])
      if (found.size >= BOUNDS.drifts || found.has(key)) return
      const name = at.slice(at.lastIndexOf('.') + 1)
      found.set(key, { path: at, kind, sample: withheld(name, sample) ?? excerpt(sample) })
    },
  }
  walk(shapeOf(schema), value, path === '' ? null : path, look)
  return [...found.values()]
}

/** Of a schema, what was not seen: a field, or a word of those that a field may have. What is in an unseen field is not told apart. */
export function unseen(schema: z.ZodType, seen: ReadonlySet<string>): { path: string; word: string | null }[] {
  return [...unseenIn(shapeOf(schema), seen)]
}

function* unseenIn(shape: Shape, seen: ReadonlySet<string>): Generator<{ path: string; word: string | null }> {
  if (!seen.has(shape.at)) {
    yield { path: shape.at, word: null }
    return
  }
  for (const [word, name] of shape.words ?? []) if (!seen.has(name)) yield { path: shape.at, word }
  for (const inner of shape.fields?.values() ?? []) yield* unseenIn(inner, seen)
  if (shape.item) yield* unseenIn(shape.item, seen)
}

/**
 * Whether a walk of `one` would tell just what a walk of `other` told: they have the same fields, and where values differ, any
 * value of that type would do. Frames of a stream are alike but for their pieces of text, and comparing costs a tenth of walking.
 */
export function isAlike(schema: z.ZodType, one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const { fields } = shapeOf(schema)
  if (!fields) return false
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => one[name] === other[name] || mayDiffer(fields.get(name), one[name], other, name))
}

function mayDiffer(field: Shape | undefined, value: unknown, other: Record<string, unknown>, name: string): boolean {
  if (!Object.hasOwn(other, name)) return false
  if (!field) return true
  return (
    field.is === 'leaf' && !field.words && typeof value === typeof other[name] && isPlain(value) && field.fits(value)
  )
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

interface Look {
  left: number
  seen: Set<string>
  tell: (path: string, kind: Drift['kind'], sample: unknown) => void
}

/** `given` is the path where it is another than the contract's, as below a free name: nothing is joined where nothing differs. */
function walk(shape: Shape, value: unknown, given: string | null, look: Look): void {
  if (look.left-- <= 0) return
  const path = given ?? shape.at
  if (value === undefined || value === null) {
    if (value === null && shape.is === 'leaf') look.seen.add(shape.at)
    if (value === undefined ? !shape.mayMiss : !shape.mayBeNull)
      look.tell(path, value === undefined ? 'missing' : 'type', value ?? null)
    return
  }
  look.seen.add(shape.at)
  if (shape.options) {
    const fitting = shape.options.find((option) => option.fits(value))
    if (fitting) walk(fitting, value, given, look)
    else look.tell(path, 'type', value)
  } else if (shape.item && shape.is === 'list' && Array.isArray(value)) {
    for (const item of value) walk(shape.item, item, given === null ? null : `${given}[]`, look)
  } else if (shape.fields && isRecord(value)) walkFields(shape.fields, value, shape.at, given, look)
  else if (shape.item && shape.is === 'names' && isRecord(value))
    for (const name of Object.keys(value)) walk(shape.item, value[name], join(path, name), look)
  else if (!shape.fits(value)) look.tell(path, 'type', value)
  else if (shape.words) {
    const name = shape.words.get(value as string)
    if (name === undefined) look.tell(path, 'word', value)
    else look.seen.add(name)
  }
}

function walkFields(
  fields: ReadonlyMap<string, Shape>,
  value: Record<string, unknown>,
  at: string,
  given: string | null,
  look: Look,
): void {
  for (const [name, field] of fields) {
    const one = Object.hasOwn(value, name) ? value[name] : undefined
    if (one !== undefined || !field.mayMiss) walk(field, one, given === null ? null : join(given, name), look)
  }
  // An object of which nothing is said may hold anything.
  if (fields.size === 0) return
  for (const name of Object.keys(value)) if (!fields.has(name)) look.tell(join(given ?? at, name), 'field', value[name])
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
