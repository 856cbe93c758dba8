import { z } from 'zod'
import * as shape from './schemas.ts'

/** The reply of a DELETE: empty, a bare number or a word, depending on the platform's version. */
export const DeleteReply = z.unknown()
/** The reply of an order that gives nothing back. */
export const ResultReply = shape.looseRecord({}, { result: shape.stringField })

/** The query fields of a list that is read page by page. */
export const pageQuery = { keyword: z.string().max(255).optional(), page: shape.pageParam, limit: shape.limitParam }
/** A query field that may stand there several times. */
export const repeatedParam = z.union([z.string().max(255), z.array(z.string().max(255))]).optional()
