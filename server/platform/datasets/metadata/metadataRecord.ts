import type { MetadataType } from '#contract/platform/schemas.ts'
import { toUnixSeconds } from '../../platformContext.ts'
import type { metadataFields } from '../../schema.ts'

export type MetadataFieldRow = Pick<typeof metadataFields.$inferSelect, 'id' | 'name' | 'type'>

export type MetadataValue = string | number | boolean | null

export interface MetadataValueRow extends MetadataFieldRow {
  value: MetadataValue
}

/** The properties of a document that the platform knows. */
export interface BuiltInSource {
  name: string
  created_at: Date
  updated_at: Date
}

/** The account that knowledge keys act as. */
export const AUTHOR_NAME = 'Loupe'

const BUILT_IN_FIELDS: { name: string; type: MetadataType; read: (document: BuiltInSource) => MetadataValue }[] = [
  { name: 'document_name', type: 'string', read: ({ name }) => name },
  { name: 'uploader', type: 'string', read: () => AUTHOR_NAME },
  { name: 'upload_date', type: 'time', read: ({ created_at }) => toUnixSeconds(created_at.getTime()) },
  { name: 'last_update_date', type: 'time', read: ({ updated_at }) => toUnixSeconds(updated_at.getTime()) },
  { name: 'source', type: 'string', read: () => 'file_upload' },
]

/** The id of all built-in fields, as upstream. */
const BUILT_IN_ID = 'built-in'

export const listBuiltInFields = () => BUILT_IN_FIELDS.map(({ name, type }) => ({ name, type }))
export const isBuiltInName = (name: string): boolean => BUILT_IN_FIELDS.some((field) => field.name === name)

/** The fields of a dataset's documents: its own, then the built-in ones if enabled. */
export const toDatasetFields = (fields: readonly MetadataFieldRow[], hasBuiltIn: boolean) => [
  ...fields,
  ...(hasBuiltIn ? listBuiltInFields().map((field) => ({ id: BUILT_IN_ID, ...field })) : []),
]

/** The values of a document: its own, then the built-in ones if enabled. */
export const toDocumentValues = (
  document: BuiltInSource,
  values: readonly MetadataValueRow[],
  hasBuiltIn: boolean,
): (Omit<MetadataValueRow, 'id'> & { id: string })[] => [
  ...values,
  ...(hasBuiltIn
    ? BUILT_IN_FIELDS.map(({ name, type, read }) => ({ id: BUILT_IN_ID, name, type, value: read(document) }))
    : []),
]

/** The given values of a document `d`, in the order of the fields, as SQL. */
export const DOCUMENT_VALUES_SQL = `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'type', f.type, 'value', v.value)
           ORDER BY f.created_at, f.id), '[]')
    FROM platform.metadata_values v JOIN platform.metadata_fields f ON f.id = v.field_id WHERE v.document_id = d.id)`
