import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { contract } from '#contract/index.ts'
import { PlatformError } from '../errors.ts'
import { extensionOf } from '../indexing/extension.ts'
import type { Upload } from '../parts.ts'
import { route } from '../route.ts'
import { demandDocument } from './document-record.ts'
import type { Knowledge } from './knowledge.ts'
import { addDocument, changeDocument, demandOwnDataset, type Source } from './writing.ts'

/** Operation 5, and creating from a file. A file is read before anything is written, so a bad one leaves nothing. */
export function files(app: FastifyInstance, context: Knowledge): void {
  const readSource = async ({ name, bytes, type }: Upload): Promise<Source> => ({
    text: await context.workshop.extract({ name, bytes }),
    name,
    size: bytes.length,
    extension: extensionOf(name),
    mime_type: type,
  })

  route(
    app,
    adjacent.createByFile,
    async ({ params, body: { data, file } }) => {
      const dataset = await demandOwnDataset(context, params.dataset_id)
      if (!file) throw new PlatformError(400, 'no_file_uploaded', 'The part file is missing.')
      const source = await readSource(file)
      return addDocument(context, dataset, { name: file.name, source, settings: data })
    },
    { aliases: ['/datasets/:dataset_id/document/create_by_file'] },
  )

  route(
    app,
    contract.documents.updateByFile,
    async ({ params, body: { data, file } }) => {
      const dataset = await demandOwnDataset(context, params.dataset_id)
      const row = await demandDocument(context.database.pool, dataset.id, params.document_id)
      const { name = file?.name, ...settings } = data
      const source = file ? await readSource(file) : undefined
      return changeDocument(context, dataset, row, { name, source, settings })
    },
    { aliases: ['/datasets/:dataset_id/documents/:document_id/update_by_file'] },
  )
}
