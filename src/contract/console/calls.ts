import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import { Problem } from '../problem.ts'
import { RUN_STATUSES } from './runs.ts'
import * as shape from '../platform/schemas.ts'

/**
 * One call that changed something or made the platform generate, as the ledger has it. `params`, `request` and `reply`
 * are there on one call and absent in lists, unless `include_bodies` is true.
 */
export const Call = z.object({
  id: z.string(),
  /** The entry of the contract, `documents.updateByText`. */
  entry: z.string(),
  status: z.enum(RUN_STATUSES),
  workspace: z.string(),
  key: z.string(),
  /** Who called, by name; null for the console itself. */
  person: z.string().nullable(),
  /** The platform's end user, where the call had one. */
  user: z.string().nullable(),
  title: z.string(),
  /** Why, in the words of the person who called. */
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
  /** Frames of its stream; 0 where the reply came whole. */
  frames: z.number(),
  /** The ids of the path. */
  params: z.record(z.string(), z.string()).optional(),
  request: z.unknown().optional(),
  reply: z.unknown().optional(),
})
export type Call = z.output<typeof Call>

/** What calls a list is of. `from` is included, `to` is not; both are moments in ISO 8601. */
export const CallQuery = z.strictObject({
  workspace: Id.optional(),
  key: Id.optional(),
  /** Entries of the contract, joined by commas. */
  entry: z.string().max(2000).optional(),
  status: z.enum(RUN_STATUSES).optional(),
  /** The name of who called. */
  person: z.string().max(255).optional(),
  /** An id that stood in the path, that the reply made, that the call was made from, or that it has itself. */
  resource: z.string().max(255).optional(),
  /** The name of `resource` in earlier releases; accepted for one release. */
  thing: z.string().max(255).optional(),
  /** Words of what was sent or of what came: questions, answers, texts of chunks, names of documents, errors. */
  q: z.string().max(255).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
})
export type CallQuery = z.output<typeof CallQuery>

/** Calls are counted up to here. */
export const MAX_COUNTED_CALLS = 1000
export const CALL_FORMATS = ['har', 'jsonl', 'csv'] as const
export type CallFormat = (typeof CALL_FORMATS)[number]
/** `GET /api/calls/export`: what a list shows, as a file; its query is the list's filters and the format. */
export const CallExportQuery = CallQuery.extend({ format: z.enum(CALL_FORMATS) })

/** A page of a list that goes on from where the last one ended, newest first. */
export const cursorParams = {
  /** The `next` of the page before. */
  before: z
    .string()
    .regex(/^\d{1,15}_[0-9a-f-]{36}$/, { error: 'must be the `next` of a page' })
    .optional(),
  limit: shape.limitParam,
}
export const cursorPage = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    /** How many there are, counted up to `MAX_COUNTED_CALLS`; null on any page but the first. */
    total: z.number().nullable(),
    /** True if there are more than `total`. */
    total_capped: z.boolean(),
    /** Null where this is the last page. A page of a search may be short, and not the last. */
    next: z.string().nullable(),
  })

export const callEndpoints = {
  /** Newest first. A page with bodies ends where it has grown large, with one call at the least. */
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
