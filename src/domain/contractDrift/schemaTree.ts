import { z } from 'zod'
import type { Release } from '#contract/platform/schemas.ts'
import { asNumber } from '../stream/untrustedJson.ts'

/** A zod schema precompiled for fast traversal: it is used for every frame. */
export interface SchemaNode {
  type: 'object' | 'list' | 'names' | 'choice' | 'leaf'
  /** Its path in the contract: `data[].status`; a free name is `*`. */
  path: string
  /** The name of a record that occurs in several replies. */
  name?: string
  /** The earliest recorded release that sends it, if the interface document lacks it. */
  since?: Release
  isOptional: boolean
  isNullable: boolean
  accepts: (value: unknown) => boolean
  /** Fields of an object, in the order of the schema; empty if it may contain anything. */
  fields?: ReadonlyMap<string, SchemaNode>
  /** Schema of the items of a list, or of the values of a record. */
  item?: SchemaNode
  /** Alternatives. */
  options?: readonly SchemaNode[]
  /** The known enum values of a field, and the name under which each counts as seen. */
  knownValues?: ReadonlyMap<string, string>
}

const treeCache = new WeakMap<z.ZodType, SchemaNode>()

export function getSchemaTree(schema: z.ZodType): SchemaNode {
  const known = treeCache.get(schema)
  if (known) return known
  const shape = buildNode(schema, '')
  treeCache.set(schema, shape)
  return shape
}

function buildNode(schema: z.ZodType, at: string): SchemaNode {
  const inner = unwrapOptional(schema)
  const { name, since, known } = (inner.meta() ?? {}) as Pick<SchemaNode, 'name' | 'since'> & { known?: string[] }
  const shape: Omit<SchemaNode, 'type'> = {
    path: at,
    ...(name === undefined ? {} : { name }),
    ...(since === undefined ? {} : { since }),
    isOptional: schema.safeParse(undefined).success,
    isNullable: schema.safeParse(null).success,
    accepts: makeTypeCheck(inner),
  }
  if (inner instanceof z.ZodUnion)
    return { ...shape, type: 'choice', options: (inner.options as z.ZodType[]).map((option) => buildNode(option, at)) }
  if (inner instanceof z.ZodArray)
    return { ...shape, type: 'list', item: buildNode(inner.element as z.ZodType, `${at}[]`) }
  if (inner instanceof z.ZodObject) {
    const fields = Object.entries(inner.shape as Record<string, z.ZodType>)
    return {
      ...shape,
      type: 'object',
      fields: new Map(fields.map(([name, one]) => [name, buildNode(one, joinPath(at, name))])),
    }
  }
  if (inner instanceof z.ZodRecord && !isAnything(inner.valueType as z.ZodType))
    return { ...shape, type: 'names', item: buildNode(inner.valueType as z.ZodType, joinPath(at, '*')) }
  if (!known) return { ...shape, type: 'leaf' }
  return { ...shape, type: 'leaf', knownValues: new Map(known.map((word) => [word, `${at}=${word}`])) }
}

/** The schema without its optional and nullable wrappers. */
function unwrapOptional(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrapOptional(schema.unwrap() as z.ZodType)
  return schema
}

/** Most values are primitive; running a parser for them would be too slow. */
function makeTypeCheck(schema: z.ZodType): SchemaNode['accepts'] {
  const checks = schema.def as { checks?: unknown[] }
  if (!checks.checks?.length) {
    if (schema instanceof z.ZodString) return (value) => typeof value === 'string'
    if (schema instanceof z.ZodNumber) return (value) => asNumber(value) !== null
    if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean'
  }
  return (value) => schema.safeParse(value).success
}

const isAnything = (schema: z.ZodType): boolean => schema instanceof z.ZodUnknown || schema instanceof z.ZodAny

const MAX_NAME_CHARS = 100
export const joinPath = (path: string, name: string): string =>
  path === '' ? name.slice(0, MAX_NAME_CHARS) : `${path}.${name.slice(0, MAX_NAME_CHARS)}`
