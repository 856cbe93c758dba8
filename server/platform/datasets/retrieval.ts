import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { invalidParam, PlatformError } from '../errors.ts'
import { route } from '../route.ts'
import { demandDataset } from './dataset-record.ts'
import type { Knowledge } from './knowledge.ts'
import { readSegments, toSegment } from './segment-record.ts'

/** A question put to one dataset. */
export function retrieval(app: FastifyInstance, { database, retrieve }: Knowledge): void {
  const { pool } = database
  route(
    app,
    adjacent.retrieve,
    async ({ params, body }) => {
      const dataset = await demandDataset(pool, params.dataset_id)
      if (dataset.provider === 'external')
        throw invalidParam('An external dataset is searched where it is, not by this platform.')
      if (!dataset.indexing_technique)
        throw new PlatformError(400, 'dataset_not_initialized', 'The dataset has no documents yet.')
      if (!body.query.trim()) throw invalidParam('query must not be blank')
      const { query, retrieval_model } = body
      const hits = await retrieve({ query, dataset_ids: [dataset.id], retrieval_model })
      const segments = await readSegments(
        pool,
        hits.map(({ segment_id }) => segment_id),
      )
      const records = hits.flatMap((hit) => {
        const row = segments.get(hit.segment_id)
        if (!row) return []
        const { document_id: id, document_name: name, data_source_type, child_chunks, score } = hit
        const document = { id, name, data_source_type, doc_type: null, doc_metadata: null }
        const segment = { ...toSegment(row), document }
        return [{ segment, child_chunks, score, tsne_position: null, files: [], summary: null }]
      })
      return { query: { content: query }, records }
    },
    { aliases: ['/datasets/:dataset_id/hit-testing'] },
  )
}
