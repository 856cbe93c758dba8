import { z } from 'zod'
import { endpoint, Id } from './endpoint.ts'
import { Problem } from './problem.ts'
import { RUN_STATES } from './runs.ts'
import * as shape from './shapes.ts'

/**
 * One call that changed something or made the platform generate, as the ledger has it. `params`, `request` and `reply`
 * are there on one call and absent in lists, unless the list was asked for `whole` calls.
 */
export const Call = z.object({
  id: z.string(),
  /** The entry of the contract, `documents.updateByText`. */
  entry: z.string(),
  status: z.enum(RUN_STATES),
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
  /** The ids of the path. */
  params: z.record(z.string(), z.string()).optional(),
  request: z.unknown().optional(),
  reply: z.unknown().optional(),
})
export type Call = z.output<typeof Call>

export const calls = {
  /** Newest first. `thing` is any id that stood in the path of the call or that its reply made. */
  listCalls: endpoint({
    method: 'GET',
    path: '/api/calls',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      workspace: Id.optional(),
      key: Id.optional(),
      entry: z.string().max(2000).optional(),
      status: z.enum(RUN_STATES).optional(),
      person: z.string().max(255).optional(),
      thing: z.string().max(255).optional(),
      q: z.string().max(255).optional(),
      /** Moments in ISO 8601; `from` is included, `to` is not. */
      from: z.iso.datetime({ offset: true }).optional(),
      to: z.iso.datetime({ offset: true }).optional(),
      whole: z.enum(['true', 'false']).optional(),
      page: shape.page,
      limit: shape.limit,
    }),
    reply: z.object({
      data: z.array(Call),
      total: z.number(),
      page: z.number(),
      limit: z.number(),
      has_more: z.boolean(),
    }),
    shows: ['calls'],
  }),
  readCall: endpoint({
    method: 'GET',
    path: '/api/calls/:call_id',
    key: 'none',
    permission: 'read',
    reply: Call,
    shows: ['calls'],
  }),
}
