import { z } from 'zod'

/**
 * Differences between the interface document and the platform in what may be sent. `retrieval`: `weights` as a number
 * and `reranking_mode` as an object, or an object and a string; `members`: `partial_member_list` of ids, or of `{
 * "user_id": id }`; `embedding`: whether the settings of annotation reply must name an embedding model.
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

/** API dialect of a platform. An undetected setting is sent as it was entered. */
export const Dialect = z.object(dialectSettingSchemas).partial()
export type Dialect = z.output<typeof Dialect>

/** Null resets the choice. */
export const DialectOverride = z.strictObject({
  retrieval: dialectSettingSchemas.retrieval.nullable().optional(),
  members: dialectSettingSchemas.members.nullable().optional(),
  embedding: dialectSettingSchemas.embedding.nullable().optional(),
})
export type DialectOverride = z.output<typeof DialectOverride>

/** The detected dialect of a workspace's platform, and a person's overrides. */
export const WorkspaceDialect = z.object({
  chosen: Dialect,
  found: Dialect,
  /** Last `X-Version` of the platform. */
  version: z.string().nullable(),
})
export type WorkspaceDialect = z.output<typeof WorkspaceDialect>
