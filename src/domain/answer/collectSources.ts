import { RetrieverResource } from '#contract/platform/schemas.ts'
import type { AnswerState } from './answerState.ts'

/**
 * The sources of an answer: those in its end event; for a workflow, which has none, the passages of its retrieval
 * nodes (their shape belongs to the platform, not to the API).
 */
export function collectSources({ sources, run }: Pick<AnswerState, 'sources' | 'run'>): readonly RetrieverResource[] {
  if (sources.length > 0) return sources
  return run.nodes
    .filter(({ node_type }) => node_type === 'knowledge-retrieval')
    .flatMap(({ outputs }) => readPassages(outputs))
}

function readPassages(outputs: unknown): RetrieverResource[] {
  const { result } = toRecord(outputs)
  return (Array.isArray(result) ? result : []).flatMap((passage: unknown) => {
    const { metadata, content, title } = toRecord(passage)
    const read = RetrieverResource.safeParse({ document_name: title, ...toRecord(metadata), content })
    return read.success ? [read.data] : []
  })
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
