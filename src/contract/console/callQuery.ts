import { z } from 'zod'
import { Id, IsoTime } from '../endpoint.ts'
import * as shape from '../platform/schemas.ts'
import { RUN_ORIGINS, RUN_RATINGS, RUN_STATUSES, RunTag, RUN_FIGURE_SORTS } from './runs.ts'

/** Ids in one filter, and calls of one bulk action. */
export const MAX_SELECTED_CALLS = 100
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const idList = z
  .string()
  .regex(new RegExp(`^${UUID}(,${UUID})*$`), { error: 'must be ids joined by commas' })
  .max(37 * MAX_SELECTED_CALLS)

/** Orders of a list. All except `started` apply to the newest filtered calls; see `sorted_among`. */
export const CALL_SORTS = ['started', ...RUN_FIGURE_SORTS] as const
export type CallSort = (typeof CALL_SORTS)[number]

/** Filters of a list of calls. `from` is inclusive, `to` exclusive; both are ISO 8601. */
export const CallQuery = z.strictObject({
  workspace: Id.optional(),
  key: Id.optional(),
  /** Entries of the contract, joined by commas. */
  entry: z.string().max(2000).optional(),
  status: z.enum(RUN_STATUSES).optional(),
  /** Name of the caller. */
  person: z.string().max(255).optional(),
  /** The platform's end user. */
  user: z.string().max(255).optional(),
  /** An id in the path, one that the reply created, the id of the parent call, of the batch or board, or its own id. */
  resource: z.string().max(255).optional(),
  /** The name of `resource` in earlier releases; accepted for one release. */
  thing: z.string().max(255).optional(),
  conversation_id: z.string().max(255).optional(),
  /** The version of the workflow that ran (`workflow_id`). */
  version: z.string().max(255).optional(),
  /** Where runs were started. */
  origin: z.enum(RUN_ORIGINS).optional(),
  tag: RunTag.optional(),
  /** Runs by the rating of their answer that was last given through this console. */
  rating: z.enum(RUN_RATINGS).optional(),
  /** A failure message as grouped by `readCallStats`: numbers and ids in it are `#`. */
  error: z.string().max(300).optional(),
  /** Calls by their ids, joined by commas. */
  ids: idList.optional(),
  /** Full-text search of requests and replies: questions, answers, texts of chunks, names of documents, errors. */
  q: z.string().max(255).optional(),
  from: IsoTime.optional(),
  to: IsoTime.optional(),
})
export type CallQuery = z.output<typeof CallQuery>

/** Maximum of the count of calls. */
export const MAX_COUNTED_CALLS = 1000

/** A page of a cursor-paginated list, newest first. */
export const cursorParams = {
  /** `next` of the previous page. */
  before: z
    .string()
    .regex(new RegExp(`^(\\d{1,15}_${UUID}|\\d{1,6})$`), { error: 'must be the `next` of a page' })
    .optional(),
  limit: shape.limitParam,
}
export const sortParams = {
  sort: z.enum(CALL_SORTS).default('started'),
  order: z.enum(['asc', 'desc']).default('desc'),
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
    /** In a sorted list: the number of newest calls that were compared, if there are more; null if all were. */
    sorted_among: z.number().nullable().default(null),
  })
