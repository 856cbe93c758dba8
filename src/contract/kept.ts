import { z } from 'zod'
import { endpoint, Id } from './endpoint.ts'

/**
 * What people keep in the console, for everybody who may see the workspace: sets of questions with what should be found,
 * sets of inputs, boards of comparisons, marks of a review.
 */
export const KEPT_KINDS = ['question_set', 'input_set', 'board', 'mark'] as const
export type KeptKind = (typeof KEPT_KINDS)[number]

export const Kept = z.object({
  id: z.string(),
  kind: z.enum(KEPT_KINDS),
  workspace: z.string(),
  /** What it belongs to: a dataset, a key, a run; null where it belongs to the workspace. */
  about: z.string().nullable(),
  name: z.string(),
  /** Whose shape is its kind's. */
  value: z.unknown(),
  person: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Kept = z.output<typeof Kept>

const name = z.string().trim().min(1).max(120)

export const kept = {
  /** Newest first, at most 200. */
  listKept: endpoint({
    method: 'GET',
    path: '/api/kept',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      kind: z.enum(KEPT_KINDS),
      workspace: Id,
      about: z.string().max(255).optional(),
    }),
    reply: z.object({ data: z.array(Kept), total: z.number() }),
    shows: ['kept'],
  }),
  readKept: endpoint({
    method: 'GET',
    path: '/api/kept/:kept_id',
    key: 'none',
    permission: 'read',
    reply: Kept,
    shows: ['kept'],
  }),
  createKept: endpoint({
    method: 'POST',
    path: '/api/kept',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      kind: z.enum(KEPT_KINDS),
      workspace: Id,
      about: z.string().max(255).optional(),
      name,
      value: z.unknown(),
    }),
    reply: Kept,
    touches: ['kept'],
  }),
  updateKept: endpoint({
    method: 'PATCH',
    path: '/api/kept/:kept_id',
    key: 'none',
    permission: 'run',
    body: z.strictObject({ name: name.optional(), value: z.unknown().optional() }),
    reply: Kept,
    touches: ['kept'],
  }),
  deleteKept: endpoint({
    method: 'DELETE',
    path: '/api/kept/:kept_id',
    key: 'none',
    permission: 'run',
    reply: z.object({ id: z.string() }),
    touches: ['kept'],
  }),
}
