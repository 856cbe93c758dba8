import { z } from 'zod'

/** A schema laid out for walking: what is asked of it once a frame must cost no more than a look. */
export interface Shape {
  is: 'object' | 'list' | 'names' | 'choice' | 'leaf'
  /** Its place in the contract: `data[].status`; a free name is `*`. */
  at: string
  mayMiss: boolean
  mayBeNull: boolean
  fits: (value: unknown) => boolean
  /** Of an object, in the order of the schema; empty where it may hold anything. */
  fields?: ReadonlyMap<string, Shape>
  /** What a list holds, or what stands under any name. */
  item?: Shape
  /** Alternatives. */
  options?: readonly Shape[]
  /** The words that a field is known to have, and under which name each counts as seen. */
  words?: ReadonlyMap<string, string>
}

const made = new WeakMap<z.ZodType, Shape>()

export function shapeOf(schema: z.ZodType): Shape {
  const known = made.get(schema)
  if (known) return known
  const shape = layOut(schema, '')
  made.set(schema, shape)
  return shape
}

function layOut(schema: z.ZodType, at: string): Shape {
  const inner = bare(schema)
  const shape: Omit<Shape, 'is'> = {
    at,
    mayMiss: schema.safeParse(undefined).success,
    mayBeNull: schema.safeParse(null).success,
    fits: fitsOf(inner),
  }
  if (inner instanceof z.ZodUnion)
    return { ...shape, is: 'choice', options: (inner.options as z.ZodType[]).map((option) => layOut(option, at)) }
  if (inner instanceof z.ZodArray) return { ...shape, is: 'list', item: layOut(inner.element as z.ZodType, `${at}[]`) }
  if (inner instanceof z.ZodObject) {
    const fields = Object.entries(inner.shape as Record<string, z.ZodType>)
    return { ...shape, is: 'object', fields: new Map(fields.map(([name, one]) => [name, layOut(one, join(at, name))])) }
  }
  if (inner instanceof z.ZodRecord && !isAnything(inner.valueType as z.ZodType))
    return { ...shape, is: 'names', item: layOut(inner.valueType as z.ZodType, join(at, '*')) }
  const words: unknown = inner.meta()?.known
  if (!Array.isArray(words)) return { ...shape, is: 'leaf' }
  return { ...shape, is: 'leaf', words: new Map((words as string[]).map((word) => [word, `${at}=${word}`])) }
}

/** The schema without what only says that it may be left out. */
function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType)
  return schema
}

/** Most values are plain ones, for which a parser would be too much. */
function fitsOf(schema: z.ZodType): Shape['fits'] {
  const checks = schema.def as { checks?: unknown[] }
  if (!checks.checks?.length) {
    if (schema instanceof z.ZodString) return (value) => typeof value === 'string'
    if (schema instanceof z.ZodNumber) return (value) => typeof value === 'number' && Number.isFinite(value)
    if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean'
  }
  return (value) => schema.safeParse(value).success
}

const isAnything = (schema: z.ZodType): boolean => schema instanceof z.ZodUnknown || schema instanceof z.ZodAny

const NAME_LENGTH = 100
export const join = (path: string, name: string): string =>
  path === '' ? name.slice(0, NAME_LENGTH) : `${path}.${name.slice(0, NAME_LENGTH)}`
