import * as zod from 'zod'

// Replaces zod in the browser's build of the contract (`vite.config.ts`): a schema is created on first use. Creating
// all of them took a fifth of the time before the first paint on a slow machine; a page uses only a few.
export * from 'zod'

export const array = lazy(zod.array)
export const boolean = lazy(zod.boolean)
export const guid = lazy(zod.guid)
export const int = lazy(zod.int)
export const literal = lazy(zod.literal)
export const looseObject = lazy(zod.looseObject)
export const number = lazy(zod.number)
export const object = lazy(zod.object)
export const record = lazy(zod.record)
export const strictObject = lazy(zod.strictObject)
export const string = lazy(zod.string)
export const union = lazy(zod.union)
export const unknown = lazy(zod.unknown)
export const iso = { ...zod.iso, datetime: lazy(zod.iso.datetime) }
const choice = lazy(zod.enum)
export { choice as enum }

/**
 * Methods that derive a schema from another one: deferred as well. Everything else is delegated to the real schema, and
 * `meta` without an argument, which reads.
 */
const CHAINED_METHODS = new Set(
  'catch default extend int max meta min nullable nullish omit optional partial pick pipe refine regex superRefine transform trim'.split(
    ' ',
  ),
)

type Build = (...given: unknown[]) => Schema
type Schema = Record<string | symbol, unknown>

const factories = new WeakMap<object, () => Schema>()

function lazy<Builds>(build: Builds): Builds {
  return ((...given: unknown[]) => lazySchema(() => (build as Build)(...given.map(resolveSchemas)))) as Builds
}

function lazySchema(make: () => Schema): Schema {
  let schema: Schema | null = null
  const resolve = () => (schema ??= make())
  const proxy: Schema = new Proxy<Schema>(
    {},
    {
      get: (_, name) => {
        if (CHAINED_METHODS.has(String(name)))
          return (...given: unknown[]) => {
            const build = () => (resolve()[name] as Build).apply(resolve(), given.map(resolveSchemas))
            return name === 'meta' && given.length === 0 ? build() : lazySchema(build)
          }
        const value = resolve()[name]
        return typeof value === 'function' ? (value as Build).bind(resolve()) : value
      },
      has: (_, name) => name in resolve(),
    },
  )
  factories.set(proxy, resolve)
  return proxy
}

/** The arguments with real schemas in them, since zod inspects shapes, arrays and unions. */
function resolveSchemas(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const make = factories.get(value)
  if (make) return make()
  if (Array.isArray(value)) return value.map(resolveSchemas)
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolveSchemas(one)]))
}
