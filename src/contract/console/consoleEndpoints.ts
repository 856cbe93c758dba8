import { z } from 'zod'
import { accessEndpoints } from './access.ts'
import { statsEndpoints } from './stats.ts'
import { endpoint, Id, RESOURCE_KINDS } from '../endpoint.ts'
import { peopleEndpoints } from './people.ts'
import { batchEndpoints } from './batches.ts'
import { callEndpoints, CallQuery, cursorParams, cursorPage, sortParams } from './calls.ts'
import { keptFileEndpoints } from './linkedFile.ts'
import { driftEndpoints } from './drift.ts'
import { formEndpoints } from './forms.ts'
import { savedItemEndpoints } from './savedItems.ts'
import { reviewEndpoints } from './review.ts'
import { Frame, Run } from './runs.ts'
import { retentionEndpoints } from './retention.ts'
import * as shape from '../platform/schemas.ts'
import { runInsightEndpoints } from './runInsights.ts'
import { ResourceQuery, idLookupEndpoints } from './resources.ts'
import { serverEndpoints } from './servers.ts'
import { suiteEndpoints } from './suites.ts'
import { webhookEndpoints } from './webhooks.ts'
import { workspaceEndpoints } from './workspaces.ts'

export {
  type Key,
  type DetectedKey as KeyFound,
  type KeyUpdate,
  type KeyInput as KeyWrite,
  type Workspace,
  type WorkspaceInput as WorkspaceWrite,
} from './workspaces.ts'

/** The console's own endpoints. Times are ISO 8601 with zone, durations milliseconds. */

export const Resource = z.object({
  kind: z.enum(RESOURCE_KINDS),
  id: z.string(),
  workspace: z.string(),
  label: z.string().nullable(),
  parent: z.string().nullable(),
  first_seen: z.string(),
  last_seen: z.string(),
  /** The last record of it that the platform sent; null if only its id was seen. */
  payload: z.unknown(),
})
export type Resource = z.output<typeof Resource>

const listReply = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), total: z.number() })

export const consoleEndpoints = {
  ...accessEndpoints,
  ...peopleEndpoints,
  ...workspaceEndpoints,
  ...formEndpoints,
  ...webhookEndpoints,
  ...serverEndpoints,
  ...suiteEndpoints,
  listResources: endpoint({
    method: 'GET',
    path: '/api/resources',
    key: 'none',
    permission: 'read',
    query: ResourceQuery.extend({
      page: shape.pageParam,
      limit: shape.limitParam,
      /** `next` of the previous page, in place of a page number. */
      before: z
        .string()
        .max(300)
        .regex(/^\d{1,15}_./, { error: 'must be the `next` of a page' })
        .optional(),
    }),
    /**
     * Sorted by last seen, newest first. `total` counts up to `MAX_COUNTED_RESOURCES`; `total_capped` means that there
     * are more.
     */
    reply: z.object({
      data: z.array(Resource),
      total: z.number(),
      total_capped: z.boolean(),
      page: z.number(),
      limit: z.number(),
      has_more: z.boolean(),
      /** Null on the last page, and in searches. */
      next: z.string().nullable(),
    }),
    tags: ['resources', 'datasets', 'documents', 'segments', 'child_chunks', 'conversations', 'annotations'],
  }),
  adoptResource: endpoint({
    method: 'POST',
    path: '/api/resources',
    key: 'none',
    permission: 'edit',
    body: z.strictObject({
      kind: z.enum(RESOURCE_KINDS),
      id: Id,
      workspace: Id,
      label: z.string().trim().min(1).max(255).optional(),
      parent: z.string().max(255).optional(),
    }),
    reply: Resource,
    invalidates: ['resources'],
  }),
  listRuns: endpoint({
    method: 'GET',
    path: '/api/runs',
    key: 'none',
    permission: 'read',
    query: CallQuery.omit({ thing: true }).extend({
      entry: z.enum(['chat.send', 'completion.send', 'workflows.run']).optional(),
      parent: Id.optional(),
      ...sortParams,
      ...cursorParams,
    }),
    reply: cursorPage(Run),
    tags: ['runs'],
  }),
  readRun: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id',
    key: 'none',
    permission: 'read',
    reply: Run,
    tags: ['runs'],
  }),
  listFrames: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id/frames',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      after: shape.intParam(0, 1_000_000_000).default(0),
      limit: shape.intParam(1, 5000).default(1000),
    }),
    reply: listReply(Frame),
  }),
  /** All turns of a conversation that this console has stored, oldest first, each with its full `answer`. */
  listConversationRuns: endpoint({
    method: 'GET',
    path: '/api/conversations/:conversation_id/runs',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ workspace: Id.optional(), limit: shape.intParam(1, 1000).default(500) }),
    reply: listReply(Run),
    tags: ['runs'],
  }),
  ...runInsightEndpoints,
  ...callEndpoints,
  ...keptFileEndpoints,
  ...statsEndpoints,
  ...driftEndpoints,
  ...savedItemEndpoints,
  ...idLookupEndpoints,
  ...retentionEndpoints,
  ...batchEndpoints,
  ...reviewEndpoints,
}
