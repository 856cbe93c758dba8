import { z } from 'zod'
import { access } from './access.ts'
import { figures } from './figures.ts'
import { endpoint, Id, THING_KINDS } from './endpoint.ts'
import { people } from './people.ts'
import { batches } from './batches.ts'
import { calls, slice, SliceOf } from './calls.ts'
import { drifts } from './drifts.ts'
import { kept } from './kept.ts'
import { review } from './review.ts'
import { Frame, Run, RUN_STATES } from './runs.ts'
import { retention } from './retention.ts'
import * as shape from './shapes.ts'
import { telling } from './telling.ts'
import { ThingFilters, things } from './things.ts'
import { workspaces } from './workspaces.ts'

export {
  type Key,
  type KeyFound,
  type KeyUpdate,
  type KeyWrite,
  type Workspace,
  type WorkspaceWrite,
} from './workspaces.ts'

/** The console's own endpoints. Times are ISO 8601 with zone, durations milliseconds. */

export const Thing = z.object({
  kind: z.enum(THING_KINDS),
  id: z.string(),
  workspace: z.string(),
  label: z.string().nullable(),
  parent: z.string().nullable(),
  first_seen: z.string(),
  last_seen: z.string(),
  /** The last record that the platform sent of it, or null when it was only named. */
  payload: z.unknown(),
})
export type Thing = z.output<typeof Thing>

const listOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), total: z.number() })

export const console_ = {
  ...access,
  ...people,
  ...workspaces,
  listThings: endpoint({
    method: 'GET',
    path: '/api/things',
    key: 'none',
    permission: 'read',
    query: ThingFilters.extend({
      page: shape.page,
      limit: shape.limit,
      /** The `next` of the page before, in place of a page's number. */
      before: z
        .string()
        .max(300)
        .regex(/^\d{1,15}_./, { error: 'must be the `next` of a page' })
        .optional(),
    }),
    /** By when they were last seen, the newest first. `total` counts up to `THINGS_COUNTED`; there may be more `beyond`. */
    reply: z.object({
      data: z.array(Thing),
      total: z.number(),
      beyond: z.boolean(),
      page: z.number(),
      limit: z.number(),
      has_more: z.boolean(),
      /** Null on the last page, and where words are looked for. */
      next: z.string().nullable(),
    }),
    shows: ['things', 'datasets', 'documents', 'segments', 'child_chunks', 'conversations', 'annotations'],
  }),
  adoptThing: endpoint({
    method: 'POST',
    path: '/api/things',
    key: 'none',
    permission: 'edit',
    body: z.strictObject({
      kind: z.enum(THING_KINDS),
      id: Id,
      workspace: Id,
      label: z.string().trim().min(1).max(255).optional(),
      parent: z.string().max(255).optional(),
    }),
    reply: Thing,
    touches: ['things'],
  }),
  listRuns: endpoint({
    method: 'GET',
    path: '/api/runs',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      workspace: Id.optional(),
      key: Id.optional(),
      entry: z.enum(['chat.send', 'completion.send', 'workflows.run']).optional(),
      status: z.enum(RUN_STATES).optional(),
      conversation_id: z.string().max(255).optional(),
      /** An id that the run has named: its workflow_run_id, message or conversation. */
      names: z.string().max(255).optional(),
      parent: Id.optional(),
      /** The name of who began it. */
      person: z.string().max(255).optional(),
      /** The platform's end user. */
      user: z.string().max(255).optional(),
      /** Moments in ISO 8601; `from` is included, `to` is not. */
      from: z.iso.datetime({ offset: true }).optional(),
      to: z.iso.datetime({ offset: true }).optional(),
      /** Words of what was sent or of what came. */
      q: z.string().max(255).optional(),
      ...slice,
    }),
    reply: SliceOf(Run),
    shows: ['runs'],
  }),
  readRun: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id',
    key: 'none',
    permission: 'read',
    reply: Run,
    shows: ['runs'],
  }),
  listFrames: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id/frames',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      after: shape.count(0, 1_000_000_000).default(0),
      limit: shape.count(1, 5000).default(1000),
    }),
    reply: listOf(Frame),
  }),
  /** All turns of a conversation that this console saw, oldest first, each with its whole `answer`. */
  listTurns: endpoint({
    method: 'GET',
    path: '/api/conversations/:conversation_id/runs',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ workspace: Id.optional(), limit: shape.count(1, 1000).default(500) }),
    reply: listOf(Run),
    shows: ['runs'],
  }),
  ...telling,
  ...calls,
  ...figures,
  ...drifts,
  ...kept,
  ...things,
  ...retention,
  ...batches,
  ...review,
}
