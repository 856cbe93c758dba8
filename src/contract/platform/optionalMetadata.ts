import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import * as shape from './schemas.ts'
import { DeleteReply, ResultReply } from './optionalReplies.ts'

/**
 * A metadata field of a dataset's documents. `count` is how many of them have a value. The built-in platform lists
 * those whose value does not match the type.
 */
export const MetadataField = shape.looseRecord(
  { id: shape.stringField, name: shape.stringField },
  {
    type: shape.openEnum(...shape.METADATA_TYPES),
    count: shape.integerField,
    unfit_values: z.array(z.looseObject({ document_id: z.string(), document_name: z.string(), value: z.unknown() })),
  },
)
export type MetadataField = z.output<typeof MetadataField>

const fieldName = z.string().trim().min(1).max(255)
const fieldsPath = '/datasets/:dataset_id/metadata'

/**
 * The values of documents. They replace all values that a document has, except with `partial_update`, which releases
 * before 1.16 ignore.
 */
export const DocumentMetadataUpdate = z.strictObject({
  operation_data: z
    .array(
      z.strictObject({
        document_id: Id,
        metadata_list: z
          .array(
            z.strictObject({
              id: Id,
              name: fieldName,
              value: z.union([z.string().max(100_000), z.number(), z.null()]),
            }),
          )
          .max(1000),
        partial_update: z.boolean().optional(),
      }),
    )
    .max(1000),
})

export const optionalMetadataEndpoints = {
  /** Lists the metadata fields of a dataset, and whether it has the built-in ones. */
  listMetadata: endpoint({
    method: 'GET',
    path: fieldsPath,
    key: 'knowledge',
    permission: 'read',
    reply: shape.looseRecord({ doc_metadata: z.array(MetadataField) }, { built_in_field_enabled: shape.booleanField }),
    resources: (_reply, { params }) => [{ kind: 'dataset', id: params.dataset_id }],
    tags: ['metadata'],
    optional: true,
  }),
  /** Adds a metadata field; its type is final. */
  createMetadata: endpoint({
    method: 'POST',
    path: fieldsPath,
    key: 'knowledge',
    permission: 'edit',
    body: z.strictObject({ type: z.enum(shape.METADATA_TYPES), name: fieldName }),
    reply: MetadataField,
    invalidates: ['metadata', 'datasets'],
    optional: true,
  }),
  /** Renames a metadata field; the values of documents stay. */
  updateMetadata: endpoint({
    method: 'PATCH',
    path: `${fieldsPath}/:metadata_id`,
    key: 'knowledge',
    permission: 'edit',
    body: z.strictObject({ name: fieldName }),
    reply: MetadataField,
    invalidates: ['metadata', 'datasets', 'documents'],
    optional: true,
  }),
  /** Deletes a metadata field with the values of all documents. */
  deleteMetadata: endpoint({
    method: 'DELETE',
    path: `${fieldsPath}/:metadata_id`,
    key: 'knowledge',
    permission: 'edit',
    reply: DeleteReply,
    invalidates: ['metadata', 'datasets', 'documents'],
    optional: true,
  }),
  /** Lists the fields that the platform can set itself. */
  listBuiltInMetadata: endpoint({
    method: 'GET',
    path: `${fieldsPath}/built-in`,
    key: 'knowledge',
    permission: 'read',
    reply: shape.looseRecord(
      {
        fields: z.array(
          shape.looseRecord({ name: shape.stringField }, { type: shape.openEnum(...shape.METADATA_TYPES) }),
        ),
      },
      {},
    ),
    resources: (_reply, { params }) => [{ kind: 'dataset', id: params.dataset_id }],
    tags: ['metadata'],
    optional: true,
  }),
  /** Enables or disables the built-in fields of a dataset. */
  setBuiltInMetadata: endpoint({
    method: 'POST',
    path: `${fieldsPath}/built-in/:action`,
    key: 'knowledge',
    permission: 'edit',
    params: { action: z.enum(['enable', 'disable']) },
    reply: ResultReply,
    resources: (_reply, { params }) => [{ kind: 'dataset', id: params.dataset_id }],
    invalidates: ['metadata', 'datasets', 'documents'],
    optional: true,
  }),
  updateDocumentMetadata: endpoint({
    method: 'POST',
    path: '/datasets/:dataset_id/documents/metadata',
    key: 'knowledge',
    permission: 'edit',
    body: DocumentMetadataUpdate,
    reply: ResultReply,
    resources: (_reply, { params, body }) =>
      (DocumentMetadataUpdate.safeParse(body).data?.operation_data ?? []).map(({ document_id }) => ({
        kind: 'document',
        id: document_id,
        parent: params.dataset_id,
      })),
    invalidates: ['metadata', 'documents'],
    optional: true,
  }),
}
