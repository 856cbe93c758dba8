import { z } from 'zod'

/**
 * Where the interface document and the platform that it describes differ in what may be sent. `retrieval`: `weights` a
 * number and `reranking_mode` an object, or an object and a word; `members`: `partial_member_list` of ids, or of
 * `{ "user_id": id }`; `embedding`: whether the settings of annotation reply must name an embedding model.
 */
export const DIALECT_OPTIONS = {
  retrieval: ['interface', 'upstream'],
  members: ['ids', 'objects'],
  embedding: ['optional', 'required'],
} as const
export type DialectSetting = keyof typeof DIALECT_OPTIONS

const dialectSettingSchemas = {
  retrieval: z.enum(DIALECT_OPTIONS.retrieval),
  members: z.enum(DIALECT_OPTIONS.members),
  embedding: z.enum(DIALECT_OPTIONS.embedding),
}

/** How a platform is spoken to. A point that nothing tells is sent as it was typed. */
export const Dialect = z.object(dialectSettingSchemas).partial()
export type Dialect = z.output<typeof Dialect>

/** Null for a point takes the choice back. */
export const DialectOverride = z.strictObject({
  retrieval: dialectSettingSchemas.retrieval.nullable().optional(),
  members: dialectSettingSchemas.members.nullable().optional(),
  embedding: dialectSettingSchemas.embedding.nullable().optional(),
})
export type DialectOverride = z.output<typeof DialectOverride>

/** What was found out about a workspace's platform, and what a person chose over it. */
export const WorkspaceDialect = z.object({
  chosen: Dialect,
  found: Dialect,
  /** What the platform's `X-Version` said last. */
  version: z.string().nullable(),
})
export type WorkspaceDialect = z.output<typeof WorkspaceDialect>
