import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { contract } from '#contract/index.ts'
import { PlatformError, toInvalidParamError } from '../platformErrors.ts'
import { getExtension } from '#domain/documentReading/documentKinds.ts'
import type { UploadedFile } from '../multipartBody.ts'
import { registerPlatformEndpoint, type PlatformCall } from '../platformRoute.ts'
import { requireDocument } from './documentRecord.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'
import { addDocument, changeDocument, requireOwnDataset, type DocumentSource } from './documentWrites.ts'

type FileUpdateCall = Pick<PlatformCall<typeof contract.documents.updateByFile>, 'params' | 'body'>

/**
 * Operation 5 in both of its forms, and creation from a file. The file is parsed before anything is written, so an
 * invalid one leaves no rows.
 */
export function registerFileRoutes(app: FastifyInstance, context: KnowledgeContext): void {
  const readSource = async ({ name, bytes, type }: UploadedFile): Promise<DocumentSource> => ({
    ...(await context.workerPool.extractText({ name, bytes })),
    name,
    size: bytes.length,
    extension: getExtension(name),
    mime_type: type,
    bytes,
  })

  registerPlatformEndpoint(
    app,
    optionalEndpoints.createByFile,
    async ({ params, body: { data, file } }) => {
      const dataset = await requireOwnDataset(context, params.dataset_id)
      if (!file) throw new PlatformError(400, 'no_file_uploaded', 'The form field file is missing.')
      const source = await readSource(file)
      return addDocument(context, dataset, { name: file.name, source, settings: data })
    },
    { aliases: ['/datasets/:dataset_id/document/create_by_file'] },
  )

  const update = async ({ params, body: { data, file } }: FileUpdateCall) => {
    const dataset = await requireOwnDataset(context, params.dataset_id)
    const row = await requireDocument(context.database.pool, dataset.id, params.document_id)
    const { name = file?.name, ...settings } = data
    const source = file ? await readSource(file) : undefined
    return changeDocument(context, dataset, row, { name, source, settings })
  }
  registerPlatformEndpoint(app, contract.documents.updateByFile, update, {
    aliases: ['/datasets/:dataset_id/documents/:document_id/update_by_file'],
  })
  registerPlatformEndpoint(app, optionalEndpoints.updateDocument, update)

  registerPlatformEndpoint(app, optionalEndpoints.readFileAgain, async ({ params }) => {
    const dataset = await requireOwnDataset(context, params.dataset_id)
    const row = await requireDocument(context.database.pool, dataset.id, params.document_id)
    const { rows } = await context.database.pool.query<{ bytes: Buffer | null }>(
      'SELECT bytes FROM platform.sources WHERE id = $1',
      [row.source_id],
    )
    const bytes = rows[0]?.bytes
    if (!bytes) throw toInvalidParamError(`The file of "${row.name}" is not stored; update the document with the file.`)
    const source = await readSource({ name: row.source_name, bytes, type: row.mime_type })
    return changeDocument(context, dataset, row, { source, settings: {} })
  })
}
