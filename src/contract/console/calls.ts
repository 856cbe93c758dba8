import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import { Problem } from '../problem.ts'
import { RUN_STATUSES } from './runs.ts'
import * as shape from '../platform/schemas.ts'

/**
 * One call that changed something or made the platform generate, as the ledger stores it. `params`, `request` and
 * `reply` are present on one call and absent in lists, unless `include_bodies` is true.
 */
export const Call = z.object({
  id: z.string(),
  /** The entry of the contract, `documents.updateByText`. */
  entry: z.string(),
  status: z.enum(RUN_STATUSES),
  workspace: z.string(),
  key: z.string(),
  /** Name of the caller; null for the console itself. */
  person: z.string().nullable(),
  /** The platform's end user, where the call had one. */
  user: z.string().nullable(),
  title: z.string(),
  /** The caller's note. */
  note: z.string().nullable(),
  parent: z.string().nullable(),
  http_status: z.number().nullable(),
  problem: Problem.nullable(),
  created_at: z.string(),
  duration_ms: z.number().nullable(),
  first_token_ms: z.number().nullable(),
  total_tokens: z.number().nullable(),
  total_price: z.string().nullable(),
  currency: z.string().nullable(),
  /** Number of frames of its stream; 0 for a blocking reply. */
  frames: z.number(),
  /** The ids of the path. */
  params: z.record(z.string(), z.string()).optional(),
  request: z.unknown().optional(),
  reply: z.unknown().optional(),
})
export type Call = z.output<typeof Call>

/** Filters of a list of calls. `from` is inclusive, `to` exclusive; both are ISO 8601. */
export const CallQuery = z.strictObject({
  workspace: Id.optional(),
  key: Id.optional(),
  /** Entries of the contract, joined by commas. */
  entry: z.string().max(2000).optional(),
  status: z.enum(RUN_STATUSES).optional(),
  /** Name of the caller. */
  person: z.string().max(255).optional(),
  /** An id in the path, one that the reply created, the id of the parent call, or its own id. */
  resource: z.string().max(255).optional(),
  /** The name of `resource` in earlier releases; accepted for one release. */
  thing: z.string().max(255).optional(),
  /** Full-text search of requests and replies: questions, answers, texts of chunks, names of documents, errors. */
  q: z.string().max(255).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
})
export type CallQuery = z.output<typeof CallQuery>

/** Maximum of the count of calls. */
export const MAX_COUNTED_CALLS = 1000
export const CALL_FORMATS = ['har', 'jsonl', 'csv'] as const
export type CallFormat = (typeof CALL_FORMATS)[number]
/** `GET /api/calls/export`: a list as a file; its query has the list's filters and the format. */
export const CallExportQuery = CallQuery.extend({ format: z.enum(CALL_FORMATS) })

/** A page of a cursor-paginated list, newest first. */
export const cursorParams = {
  /** `next` of the previous page. */
  before: z
    .string()
    .regex(/^\d{1,15}_[0-9a-f-]{36}$/, { error: 'must be the `next` of a page' })
    .optional(),
  limit: shape.limitParam,
}
export const cursorPage = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    /** The number of calls, up to `MAX_COUNTED_CALLS`; null on any page but the first. */
    total: z.number().nullable(),
    /** True if there are more than `total`. */
    total_capped: z.boolean(),
    /** Null on the last page. A page of a search may be short without being the last. */
    next: z.string().nullable(),
  })

export const callEndpoints = {
  /** Newest first. A page with bodies ends when it becomes too large, but has at least one call. */
  listCalls: endpoint({
    method: 'GET',
    path: '/api/calls',
    key: 'none',
    permission: 'read',
    query: CallQuery.extend({ include_bodies: z.enum(['true', 'false']).optional(), ...cursorParams }),
    reply: cursorPage(Call),
    tags: ['calls'],
  }),
  readCall: endpoint({
    method: 'GET',
    path: '/api/calls/:call_id',
    key: 'none',
    permission: 'read',
    reply: Call,
    tags: ['calls'],
  }),
}
