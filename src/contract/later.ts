import * as zod from 'zod'

// Zod as the browser's build of the contract has it (`vite.config.ts`): a schema is only noted, and made when it is first
// asked something. To make all of them took a slow machine a fifth of what it did before its first picture; a page asks few.
export * from 'zod'

export const array = later(zod.array)
export const boolean = later(zod.boolean)
export const guid = later(zod.guid)
export const int = later(zod.int)
export const literal = later(zod.literal)
export const looseObject = later(zod.looseObject)
export const number = later(zod.number)
export const object = later(zod.object)
export const record = later(zod.record)
export const strictObject = later(zod.strictObject)
export const string = later(zod.string)
export const union = later(zod.union)
export const unknown = later(zod.unknown)
export const iso = { ...zod.iso, datetime: later(zod.iso.datetime) }
const choice = later(zod.enum)
export { choice as enum }

/** What makes another schema of one: noted too. All else is asked of the schema itself. */
const CHAIN = new Set(
  'catch default extend int max min nullable nullish omit optional partial pick pipe refine regex superRefine transform trim'.split(
    ' ',
  ),
)

type Build = (...given: unknown[]) => Schema
type Schema = Record<string | symbol, unknown>

const makers = new WeakMap<object, () => Schema>()

function later<Builds>(build: Builds): Builds {
  return ((...given: unknown[]) => noted(() => (build as Build)(...given.map(made)))) as Builds
}

function noted(make: () => Schema): Schema {
  let schema: Schema | null = null
  const whole = () => (schema ??= make())
  const stand: Schema = new Proxy<Schema>(
    {},
    {
      get: (_, name) => {
        if (CHAIN.has(String(name)))
          return (...given: unknown[]) => noted(() => (whole()[name] as Build).apply(whole(), given.map(made)))
        const value = whole()[name]
        return typeof value === 'function' ? (value as Build).bind(whole()) : value
      },
      has: (_, name) => name in whole(),
    },
  )
  makers.set(stand, whole)
  return stand
}

/** What was given with the schemas themselves in it, for zod looks into shapes, lists and choices. */
function made(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  const make = makers.get(given)
  if (make) return make()
  if (Array.isArray(given)) return given.map(made)
  if (Object.getPrototypeOf(given) !== Object.prototype) return given
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, made(one)]))
}
