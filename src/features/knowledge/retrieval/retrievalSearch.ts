import type { z } from 'zod'
import type { MetadataFilter } from '#contract/platform/schemas.ts'
import { ProblemError } from '#contract/problem.ts'
import { optionalDatasetEndpoints } from '#contract/platform/optionalDatasets.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { call } from '../../../client/http.ts'
import type { RunView } from '../../../client/runStore.ts'
import { runStore } from '../../../client/useRun.ts'
import type { DatasetRecord } from '../useDataset.ts'
import type { RetrievalSettings } from './retrievalModelForm.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'

export interface SearchResult {
  dataset_id: string
  dataset_name: string | null
  document_id: string
  document_name: string | null
  segment_id: string
  position: number | null
  score: number | null
  /** The method that scored it, where the platform names it. */
  search_method: string | null
  content: string | null
  /** Where the platform says which child chunks led to it, best first. */
  children: { id: string; score: number | null; content: string | null }[]
  run: string | null
}

export interface SearchOutcome {
  /** Best first. */
  hits: SearchResult[]
  /** Why the platform searched by keyword although another method is set, if it says so. */
  fallback: { requested_method: string; reason: string } | null
}

/** Runs a search, with settings in place of those of the dataset. @throws ProblemError */
export type SearchFunction = (query: string, model?: RetrievalSettings) => Promise<SearchOutcome>

/** Searches the dataset itself, where the platform offers that, among the documents that pass a filter. */
export const searchDataset =
  (
    key: string,
    dataset_id: string,
    dataset: DatasetRecord | null,
    filter?: z.input<typeof MetadataFilter>,
  ): SearchFunction =>
  async (query, model) => {
    // Released platforms want the whole retrieval model wherever a part of it is sent.
    const retrieval_model = filter
      ? { ...dataset?.retrieval_model_dict, ...model, metadata_filtering_conditions: filter }
      : model
    const body = { query, ...(retrieval_model ? { retrieval_model } : {}) }
    const { records, fallback } = await call(optionalDatasetEndpoints.retrieve, { key, params: { dataset_id }, body })
    const hits = (records ?? []).flatMap(({ segment, score, search_method, child_chunks }): SearchResult[] => {
      const document_id = segment?.document_id ?? segment?.document?.id
      if (!segment || !document_id) return []
      return [
        {
          dataset_id,
          dataset_name: null,
          document_id,
          document_name: segment.document?.name ?? null,
          segment_id: segment.id,
          position: segment.position ?? null,
          score: score ?? null,
          search_method: search_method ?? null,
          content: segment.content ?? null,
          children: (child_chunks ?? []).map(({ id, score, content }) => ({
            id,
            score: score ?? null,
            content: content ?? null,
          })),
          run: null,
        },
      ]
    })
    return { hits, fallback: fallback ?? null }
  }

/** Asks a chat app: the sources of its answer are the hits, by the app's own settings and datasets. */
export const searchThroughApp =
  ({ key, user, inputs }: { key: string; user: string; inputs: Record<string, unknown> }): SearchFunction =>
  async (query) => {
    const run = runStore.start(chatEndpoints.send, {
      key,
      body: chatEndpoints.send.body.parse({ query, user, inputs }),
    })
    const { problem, state } = await waitForRunEnd(run)
    if (problem) throw new ProblemError(problem)
    const hits = (state as AnswerState).sources.flatMap((source): SearchResult[] => {
      const { dataset_id, document_id, segment_id } = source
      if (!dataset_id || !document_id || !segment_id) return []
      return [
        {
          dataset_id,
          dataset_name: source.dataset_name ?? null,
          document_id,
          document_name: source.document_name ?? null,
          segment_id,
          position: source.segment_position ?? null,
          score: source.score ?? null,
          search_method: null,
          content: source.content ?? null,
          children: [],
          run,
        },
      ]
    })
    return { hits, fallback: null }
  }

function waitForRunEnd(run_id: string): Promise<RunView> {
  return new Promise((resolve) => {
    const checkView = () => {
      const view = runStore.view(run_id)
      if (!view || view.phase === 'watching') return
      stop()
      resolve(view)
    }
    const stop = runStore.subscribe(run_id, checkView)
  })
}
