import type { RetrieverResource } from '#contract/platform/schemas.ts'
import type { Passage } from '../../model/candidateSentences.ts'
import type { RetrievalHit } from '../../retrieval/retrievalHit.ts'

/** The segments found, as an answer cites them: `position` is the citation number. */
export function toRetrieverResources(hits: readonly RetrievalHit[]): RetrieverResource[] {
  return hits.map((hit) => ({
    position: hit.position,
    dataset_id: hit.dataset_id,
    dataset_name: hit.dataset_name,
    document_id: hit.document_id,
    document_name: hit.document_name,
    data_source_type: hit.data_source_type,
    segment_id: hit.segment_id,
    retriever_from: 'api',
    score: hit.score,
    hit_count: hit.hit_count,
    word_count: hit.word_count,
    segment_position: hit.segment_position,
    index_node_hash: hit.index_node_hash,
    content: hit.answer ? `question:${hit.content} answer:${hit.answer}` : hit.content,
  }))
}

export const toPassages = (hits: readonly RetrievalHit[]): Passage[] =>
  hits.map(({ position, content, answer, score }) => ({ mark: position, content, answer, score }))

/** The passages in the format of the model's prompt. */
export const toPromptPassages = (hits: readonly RetrievalHit[]): string =>
  hits
    .map(({ position, document_name, content, answer }) =>
      [`[${position}] (${document_name})`, content, ...(answer ? [`Answer: ${answer}`] : [])].join('\n'),
    )
    .join('\n\n') || '(none found)'
