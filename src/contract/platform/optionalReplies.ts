import { z } from 'zod'
import { Id } from '../endpoint.ts'
import * as shape from './schemas.ts'

/** The reply of a DELETE: empty, a bare number or a string, depending on the platform's version. */
export const DeleteReply = z.unknown()
/** The reply of a write that returns nothing, like that of a DELETE. */
export const EmptyReply = z.unknown()
export const ResultReply = shape.looseRecord({}, { result: shape.stringField })

export const pageQuery = { keyword: z.string().max(255).optional(), page: shape.pageParam, limit: shape.limitParam }
/** A query field that may be repeated. */
export const repeatedParam = z.union([z.string().max(255), z.array(z.string().max(255))]).optional()
/** The id at which a page begins; clients send an empty one for the first page. */
export const cursorParam = z.union([Id, z.literal('')]).optional()
