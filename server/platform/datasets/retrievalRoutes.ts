import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { toInvalidParamError } from '../platformErrors.ts'
import { registerPlatformEndpoint } from '../platformRoute.ts'
import { requireSearchableDataset } from './datasetRecord.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'
import { readSegments, toSegmentFields } from './segmentRecord.ts'

/** A query to one dataset. */
export function registerRetrievalRoutes(app: FastifyInstance, { database, retrieve }: KnowledgeContext): void {
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
