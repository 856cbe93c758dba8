import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import { Problem } from '../problem.ts'
import { CallQuery, cursorPage, cursorParams, MAX_SELECTED_CALLS, sortParams } from './callQuery.ts'
import { callMarks, MAX_RUN_NOTE_CHARS, MAX_RUN_TAGS, Run, RUN_STATUSES, runFigureFields, RunTag } from './runs.ts'
import { TimeZone } from './stats.ts'

/**
 * One call that changed something or made the platform generate, as the ledger stores it. `request` and `reply` are
 * present on one call and absent in lists, unless `include_bodies` is true.
 */
export const Call = z.object({
  id: z.string(),
  /** The entry of the contract, for example `documents.updateByText`. */
  entry: z.string(),
  status: z.enum(RUN_STATUSES),
  workspace: z.string(),
  key: z.string(),
  /** Name of the caller; null for the console itself. */
  person: z.string().nullable(),
  /** The platform's end user, where the call had one. */
  user: z.string().nullable(),
  title: z.string(),
  note: z.string().nullable(),
  parent: z.string().nullable(),
  http_status: z.number().nullable(),
  problem: Problem.nullable(),
  created_at: z.string(),
  ...runFigureFields,
  /** Number of frames of its stream; 0 for a blocking reply. */
  frames: z.number(),
  conversation_id: z.string().nullable().optional(),
  workflow_id: z.string().nullable().optional(),
  ...callMarks,
  /** The ids of the path. */
  params: z.record(z.string(), z.string()).optional(),
  request: z.unknown().optional(),
  reply: z.unknown().optional(),
})
export type Call = z.output<typeof Call>

export const CALL_FORMATS = ['har', 'jsonl', 'csv'] as const
export type CallFormat = (typeof CALL_FORMATS)[number]
/** `GET /api/calls/export`: a list as a file; its query has the list's filters and the format. */
export const CallExportQuery = CallQuery.extend({ format: z.enum(CALL_FORMATS) })

/** What the filtered calls can be grouped by. */
export const CALL_GROUPS = ['app', 'version', 'conversation', 'person', 'day', 'failure', 'origin'] as const
export type CallGroupBy = (typeof CALL_GROUPS)[number]

/** Aggregated calls. Missing measurements are excluded, never counted as 0. Times are milliseconds of succeeded calls. */
const CallAggregate = z.object({
  calls: z.number(),
  /** Failed calls, and those that were cut or have an unknown result. */
  failed: z.number(),
  unclear: z.number(),
  tokens: z.number().nullable(),
  /** Succeeded runs that reported no tokens. */
  without_usage: z.number(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  first_token_p50: z.number().nullable(),
  first_token_p95: z.number().nullable(),
  /** Decimal numbers as text, separately by currency; the currency is empty if the platform reported none. */
  prices: z.array(z.object({ currency: z.string(), total: z.string() })),
})
export type CallAggregate = z.output<typeof CallAggregate>

const CallGroup = CallAggregate.extend({
  /** The id of the key or conversation, the version, person, origin or message; the day; null where a call has none. */
  value: z.string().nullable(),
  /** The newest question of a conversation; null for other groups. */
  title: z.string().nullable(),
  last_at: z.string(),
})
export type CallGroup = z.output<typeof CallGroup>

export const MAX_CALL_GROUPS = 100

export const CallStats = z.object({
  total: CallAggregate,
  /** Largest first; days newest first. Empty without `group`. */
  groups: z.array(CallGroup),
  /** True if there are more groups. */
  groups_capped: z.boolean(),
  /** False if there are too many calls to add up at once: only those since `since` are counted. */
  is_complete: z.boolean(),
  since: z.string().nullable(),
})
export type CallStats = z.output<typeof CallStats>

/** Kinds of calls in a list: runs are those that make the platform generate. */
export const CALL_KINDS = ['runs', 'all'] as const

export const callEndpoints = {
  /** Newest first. A page with bodies ends when it becomes too large, but has at least one call. */
  listCalls: endpoint({
    method: 'GET',
    path: '/api/calls',
    key: 'none',
    permission: 'read',
    query: CallQuery.extend({
      include_bodies: z.enum(['true', 'false']).optional(),
      ...sortParams,
      ...cursorParams,
    }),
    reply: cursorPage(Call),
    tags: ['calls'],
  }),
  /** Totals and percentiles of the filtered calls, and of their groups. Days are in the time zone `zone` (IANA). */
  readCallStats: endpoint({
    method: 'GET',
    path: '/api/call-stats',
    key: 'none',
    permission: 'read',
    query: CallQuery.extend({
      kind: z.enum(CALL_KINDS).default('all'),
      group: z.enum(CALL_GROUPS).optional(),
      zone: TimeZone.default('UTC'),
    }),
    reply: CallStats,
    tags: ['runs', 'calls'],
  }),
  /** Tags of the newest tagged runs of a workspace, most frequent first. */
  listRunTags: endpoint({
    method: 'GET',
    path: '/api/run-tags',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ workspace: Id }),
    reply: z.object({ data: z.array(z.object({ tag: z.string(), runs: z.number() })), total: z.number() }),
    tags: ['runs'],
  }),
  /** Adds and removes tags on several runs. Nothing is changed if one of them does not exist or would have too many. */
  tagRuns: endpoint({
    method: 'POST',
    path: '/api/run-tags',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      run_ids: z.array(Id).min(1).max(MAX_SELECTED_CALLS),
      add: z.array(RunTag).max(MAX_RUN_TAGS).default([]),
      remove: z.array(RunTag).max(MAX_RUN_TAGS).default([]),
    }),
    reply: z.object({ updated: z.number() }),
    invalidates: ['runs'],
  }),
  updateRun: endpoint({
    method: 'PATCH',
    path: '/api/runs/:run_id',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      tags: z.array(RunTag).max(MAX_RUN_TAGS).optional(),
      run_note: z.string().trim().max(MAX_RUN_NOTE_CHARS).nullable().optional(),
    }),
    reply: Run,
    invalidates: ['runs'],
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
