import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import * as shape from '../platform/schemas.ts'
import { CallQuery, cursorPage, cursorParams, sortParams } from './callQuery.ts'
import { Frame, Run } from './runs.ts'

const listReply = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), total: z.number() })

/** Runs and their frames. Times are ISO 8601 with zone, durations milliseconds. */
export const runEndpoints = {
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
}
