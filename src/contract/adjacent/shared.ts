import { z } from 'zod'
import * as shape from '../shapes.ts'

/** The reply of a DELETE: empty, a bare number or a word, depending on the platform's version. */
export const Gone = z.unknown()
/** The reply of an order that gives nothing back. */
export const Done = shape.record({}, { result: shape.text })

/** The query fields of a list that is read page by page. */
export const paged = { keyword: z.string().max(255).optional(), page: shape.page, limit: shape.limit }
/** A query field that may stand there several times. */
export const words = z.union([z.string().max(255), z.array(z.string().max(255))]).optional()
