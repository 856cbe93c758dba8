import { z } from 'zod'

/**
 * Where the interface document and the platform that it describes differ in what may be sent. `retrieval`: `weights` a
 * number and `reranking_mode` an object, or an object and a word; `members`: `partial_member_list` of ids, or of
 * `{ "user_id": id }`; `embedding`: whether the settings of annotation reply must name an embedding model.
 */
export const DIALECT = {
  retrieval: ['interface', 'upstream'],
  members: ['ids', 'objects'],
  embedding: ['optional', 'required'],
} as const
export type DialectPoint = keyof typeof DIALECT

const points = {
  retrieval: z.enum(DIALECT.retrieval),
  members: z.enum(DIALECT.members),
  embedding: z.enum(DIALECT.embedding),
}

/** How a platform is spoken to. A point that nothing tells is sent as it was typed. */
export const Dialect = z.object(points).partial()
export type Dialect = z.output<typeof Dialect>

/** Null for a point takes the choice back. */
export const DialectChoice = z.strictObject({
  retrieval: points.retrieval.nullable().optional(),
  members: points.members.nullable().optional(),
  embedding: points.embedding.nullable().optional(),
})
export type DialectChoice = z.output<typeof DialectChoice>

/** What was found out about a workspace's platform, and what a person chose over it. */
export const Speech = z.object({
  chosen: Dialect,
  found: Dialect,
  /** What the platform's `X-Version` said last. */
  version: z.string().nullable(),
})
export type Speech = z.output<typeof Speech>
