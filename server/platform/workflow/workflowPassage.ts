import type { RetrievalHit } from '../retrieval/retrievalHit.ts'

/** A passage as later nodes read it, in upstream's shape, with its citation number. */
export interface WorkflowPassage {
  title: string
  content: string
  metadata: {
    position: number
    score: number
    dataset_id: string
    document_id: string
    segment_id: string
    document_name: string
    dataset_name: string
  }
}

export const toWorkflowPassage = ({ content, answer, document_name, ...hit }: RetrievalHit): WorkflowPassage => ({
  title: document_name,
  content: answer ? `${content}\n${answer}` : content,
  metadata: {
    position: hit.position,
    score: hit.score,
    dataset_id: hit.dataset_id,
    dataset_name: hit.dataset_name,
    document_id: hit.document_id,
    document_name,
    segment_id: hit.segment_id,
  },
})

export const isPassages = (value: unknown): value is WorkflowPassage[] =>
  Array.isArray(value) &&
  value.every((item: unknown) => typeof item === 'object' && item !== null && 'metadata' in item && 'content' in item)
