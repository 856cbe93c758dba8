import type { FastifyInstance } from 'fastify'
import { registerChildChunkRoutes } from './childChunkRoutes.ts'
import { registerDatasetRoutes } from './datasetRoutes.ts'
import { registerDocumentRoutes } from './documentRoutes.ts'
import { registerFileRoutes } from './fileRoutes.ts'
import { registerDownloadRoutes } from './downloads/downloadRoutes.ts'
import { registerDryRunRoute } from './dryRun/dryRunRoute.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'
import { registerMetadataRoutes } from './metadata/metadataRoutes.ts'
import { registerSegmentRoutes } from './segmentRoutes.ts'
import { registerTagRoutes } from './tags/tagRoutes.ts'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { registerPlatformEndpoint } from '../platformRoute.ts'
import { PROVIDER, requireSearchableDataset } from './datasetRecord.ts'
import { toInvalidParamError } from '../platformErrors.ts'
import { readSegments, toSegmentFields } from './segmentRecord.ts'

export function registerKnowledgeRoutes(app: FastifyInstance, context: KnowledgeContext): void {
  registerDatasetRoutes(app, context)
  registerTagRoutes(app, context)
  registerMetadataRoutes(app, context)
  registerDocumentRoutes(app, context)
  registerDownloadRoutes(app, context)
  registerFileRoutes(app, context)
  registerSegmentRoutes(app, context)
  registerChildChunkRoutes(app, context)
  registerRetrievalRoutes(app, context)
  registerDryRunRoute(app, context)
  registerModelRoutes(app, context)
}

function registerModelRoutes(app: FastifyInstance, { model }: KnowledgeContext): void {
  registerPlatformEndpoint(app, optionalEndpoints.listModels, ({ params: { model_type } }) => {
    const names: Record<string, string | undefined> = { llm: model?.name, 'text-embedding': model?.embedding_name }
    const name = names[model_type]
    return { data: name ? [toProvider(name, model_type)] : [] }
  })
}

const toProvider = (name: string, model_type: string) => ({
  provider: PROVIDER,
  label: { en_US: 'OpenAI-compatible endpoint', zh_Hans: 'OpenAI 兼容接口' },
  icon_small: null,
  icon_small_dark: null,
  status: 'active',
  models: [
    {
      model: name,
      label: { en_US: name, zh_Hans: name },
      model_type,
      features: [],
      fetch_from: 'predefined-model',
      model_properties: {},
      deprecated: false,
      status: 'active',
      load_balancing_enabled: false,
      has_invalid_load_balancing_configs: false,
    },
  ],
})

function registerRetrievalRoutes(app: FastifyInstance, { database, retrieve }: KnowledgeContext): void {
  const { pool } = database
  registerPlatformEndpoint(
    app,
    optionalEndpoints.retrieve,
    async ({ params, body }) => {
      const dataset = await requireSearchableDataset(pool, params.dataset_id)
      if (!body.query.trim()) throw toInvalidParamError('query must not be blank')
      const { query, retrieval_model } = body
      const { hits, search_method, fallback } = await retrieve({ query, dataset_ids: [dataset.id], retrieval_model })
      const segments = await readSegments(
        pool,
        hits.map(({ segment_id }) => segment_id),
      )
      const records = hits.flatMap((hit) => {
        const row = segments.get(hit.segment_id)
        if (!row) return []
        const { document_id: id, document_name: name, data_source_type, doc_metadata, child_chunks, score } = hit
        const { search_method: scored_by } = hit
        const document = { id, name, data_source_type, doc_type: null, doc_metadata }
        const segment = { ...toSegmentFields(row), sign_content: null, document }
        return [
          { segment, child_chunks, score, search_method: scored_by, tsne_position: null, files: [], summary: null },
        ]
      })
      return { query: { content: query }, records, search_method, fallback }
    },
    { aliases: ['/datasets/:dataset_id/hit-testing'] },
  )
}
