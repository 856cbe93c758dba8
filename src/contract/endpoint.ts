import { z } from 'zod'
import { ProblemError } from './problem.ts'

/** The kinds of platform key in a workspace; `app` in an entry means any of the three app kinds. */
export const KEY_KINDS = ['knowledge', 'chat', 'completion', 'workflow'] as const
export type KeyKind = (typeof KEY_KINDS)[number]
export type RequiredKey = KeyKind | 'app' | 'none'

/** Permission that an entry requires. `open` needs no session. */
export type Permission = 'open' | 'read' | 'run' | 'edit' | 'export' | 'manage'

export const RESOURCE_KINDS = [
  'dataset',
  'document',
  'segment',
  'child_chunk',
  'conversation',
  'message',
  'workflow_run',
  'task',
  'annotation',
  'job',
  /** Parameters of an app, as seen; `parent` is the key. */
  'parameters',
] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

/**
 * A platform resource named by a reply or frame. `payload` is the unchanged record, if the reply contained it
 * completely.
 */
export interface ResourceRef {
  kind: ResourceKind
  id: string
  label?: string | null | undefined
  parent?: string | null | undefined
  payload?: unknown
}

/** Cache tags of reads and writes: after a successful write, reads with a common tag are refetched. */
export type CacheTag =
  | 'datasets'
  | 'dataset_tags'
  | 'metadata'
  | 'documents'
  | 'segments'
  | 'child_chunks'
  | 'conversations'
  | 'annotations'
  | 'runs'
  | 'kept_files'
  | 'calls'
  | 'retention'
  | 'saved_items'
  | 'batches'
  | 'suites'
  | 'resources'
  | 'servers'
  | 'workspaces'
  | 'session'
  | 'people'
  | 'audit'

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type Params<Path extends string> = { [Name in ParamNames<Path>]: string }

/**
 * A multipart body: one `file` part and `data`, which is sent as one JSON string in a part named `data`, or, with
 * `spread`, as one text part per field.
 */
export interface Form<Data extends z.ZodType = z.ZodType> {
  form: true
  sendAsTextParts: boolean
  data: Data
}
export const form = <Data extends z.ZodType>(parts: { data: Data } | { fields: Data }): Form<Data> =>
  'fields' in parts
    ? { form: true, sendAsTextParts: true, data: parts.fields }
    : { form: true, sendAsTextParts: false, data: parts.data }

/** The kinds of event stream. An `answer` may contain a workflow run, as that of a chatflow does. */
export const STREAM_KINDS = ['answer', 'workflow'] as const
export type StreamKind = (typeof STREAM_KINDS)[number]

type RequestBody<Body> = Body extends z.ZodType
  ? z.input<Body>
  : Body extends Form<infer Data>
    ? { data: z.input<Data>; file: File | null }
    : undefined

/** Input of an entry: path parameters, query and body, each only if the entry has it. */
export type RequestInput<Path extends string, Query, Body> = ([ParamNames<Path>] extends [never]
  ? { params?: undefined }
  : { params: Params<Path> }) &
  (Query extends z.ZodType ? { query?: z.input<Query> } : { query?: undefined }) &
  (RequestBody<Body> extends undefined ? { body?: undefined } : { body: RequestBody<Body> })

export interface Endpoint<
  Path extends string = string,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | Form | undefined = z.ZodType | Form | undefined,
  Reply extends z.ZodType = z.ZodType,
  Events extends StreamKind | undefined = StreamKind | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: Path
  key: RequiredKey
  permission: Permission
  params: z.ZodType<Params<Path>>
  query: Query
  body: Body
  reply: Reply
  /**
   * Kind of events in the stream of a generating entry: `eventFolds` has the fold of each kind, `eventSchemas` the
   * schemas.
   */
  events: Events
  /** Resources that a reply names. The input is the validated one, as the relay sent it. */
  resources: (reply: unknown, input: { params: Record<string, string>; query: unknown; body: unknown }) => ResourceRef[]
  tags: readonly CacheTag[]
  invalidates: readonly CacheTag[]
  /** True for operations beyond the interface document; screens show them only if the platform has answered them. */
  optional: boolean
  /**
   * True for operations that only the server calls, so that the console has no route for them: they return a stream
   * that belongs to a run, or need a token that no browser gets.
   */
  isServerOnly: boolean
  /** The media type of a reply that is a file or a stream to pass on unread; null for JSON. */
  mediaType: string | null
}

interface EndpointDefinition<Path extends string, Query, Body, Reply extends z.ZodType, Events> {
  method: Endpoint['method']
  path: Path
  key: RequiredKey
  permission: Permission
  params?: Partial<Record<ParamNames<Path>, z.ZodType<string>>>
  query?: Query
  body?: Body
  reply: Reply
  events?: Events
  resources?: (
    reply: z.output<Reply>,
    input: { params: Params<Path>; query: Query extends z.ZodType ? z.output<Query> : undefined; body: unknown },
  ) => ResourceRef[]
  tags?: readonly CacheTag[]
  invalidates?: readonly CacheTag[]
  optional?: boolean
  isServerOnly?: boolean
  mediaType?: string
}

/** A time with its offset, within the years and offsets that a database accepts. */
export const IsoTime = z.iso
  .datetime({ offset: true })
  .refine((text) => {
    const year = new Date(text).getUTCFullYear()
    // An invalid time has its own error.
    return Number.isNaN(year) || (year >= 1 && year <= 9999)
  }, 'must be in the years 1 to 9999')
  .refine((text) => !/[+-](1[6-9]|2\d):\d\d$/.test(text), 'must have an offset of at most 15:59')

/** An id that is safe in a path: the UUID format cannot change the path. */
export const Id = z.guid()

/** An id in a path that is not a UUID on some platforms: one plain segment, without path traversal. */
export const PathSegmentId = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,128}$/, { error: 'must be 1 to 128 letters, digits or any of _ . -' })

/**
 * Describes one request as data. Everything else is derived from this value: the route and its permission, the
 * validation of the request, the upstream path, the ledger row, the typed `call`, the query key and the built-in
 * platform's route.
 */
export function endpoint<
  const Path extends string,
  Reply extends z.ZodType,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | Form | undefined = undefined,
  Events extends StreamKind | undefined = undefined,
>(definition: EndpointDefinition<Path, Query, Body, Reply, Events>): Endpoint<Path, Query, Body, Reply, Events> {
  const givenParams = definition.params as Record<string, z.ZodType<string>> | undefined
  const shape = Object.fromEntries(getPathParamNames(definition.path).map((name) => [name, givenParams?.[name] ?? Id]))
  return {
    method: definition.method,
    path: definition.path,
    key: definition.key,
    permission: definition.permission,
    params: z.strictObject(shape) as unknown as z.ZodType<Params<Path>>,
    query: definition.query as Query,
    body: definition.body as Body,
    reply: definition.reply,
    events: definition.events as Events,
    resources: (definition.resources ?? (() => [])) as Endpoint['resources'],
    tags: definition.tags ?? [],
    invalidates: definition.invalidates ?? [],
    optional: definition.optional ?? false,
    isServerOnly: definition.isServerOnly ?? false,
    mediaType: definition.mediaType ?? null,
  }
}

export const getPathParamNames = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')

/**
 * Inserts parameters into the path of a request. They may be ids from a platform's answer, so none may be a segment
 * that changes the path.
 * @throws ProblemError for an empty, `.` or `..` parameter
 */
export const fillPath = (path: string, params: Record<string, string> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? ''
    if (/^\.{0,2}$/.test(value))
      throw new ProblemError({ kind: 'invalid', status: 400, message: `${name} must not be empty, . or ..` })
    return encodeURIComponent(value)
  })

/** The same for display and cache keys, never requested. */
export const describePath = (path: string, params?: Record<string, string> | null): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))

export const isForm = (body: unknown): body is Form => typeof body === 'object' && body !== null && 'form' in body

export const acceptsKeyKind = (kind: KeyKind, need: RequiredKey): boolean =>
  need === kind || (need === 'app' && kind !== 'knowledge')

export type EndpointInput<E> =
  E extends Endpoint<infer Path, infer Query, infer Body> ? RequestInput<Path, Query, Body> : never
export type EndpointReply<E> = E extends { reply: infer R extends z.ZodType } ? z.output<R> : never
export type EndpointBody<E> = E extends { body: infer B } ? RequestBody<B> : never
