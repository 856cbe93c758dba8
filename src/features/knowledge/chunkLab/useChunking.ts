import { startTransition, useEffect, useState } from 'react'
import type { ChunkMeasure } from '#domain/chunking/chunkMeasure.ts'
import type { LabChunk, ChunkSetting, TextLayout } from './worker/labChunking.ts'
import { type ChunkStats, computeChunkStats, type ChunkTotals } from './worker/chunkStats.ts'
import { requestFromLabWorker } from './worker/labWorkerClient.ts'

export interface ChunkingView {
  input: { text: string; setting: ChunkSetting; measure: ChunkMeasure } | null
  /** The text after the pre-processing; the places of the chunks are in it. */
  text: string
  chunks: readonly LabChunk[]
  stats: ChunkStats
  /** How much of the text is cut, 0 to 1. */
  progress: number
  isDone: boolean
  /** Milliseconds of the worker's work. */
  durationMs: number | null
  totals: ChunkTotals | null
  problem: string | null
}

export const emptyChunking: ChunkingView = {
  input: null,
  text: '',
  chunks: [],
  stats: computeChunkStats([]),
  progress: 0,
  isDone: false,
  durationMs: null,
  totals: null,
  problem: null,
}

/** Chunks a text in the worker and cancels the previous request. The chunks arrive in parts. */
export function useChunking(
  text: string,
  layout: TextLayout,
  setting: ChunkSetting | null,
  measure: ChunkMeasure,
): ChunkingView {
  const [view, setView] = useState(emptyChunking)
  const settingJson = setting && JSON.stringify(setting)
  useEffect(() => {
    if (!settingJson || text === '') return
    const of = { text, setting: JSON.parse(settingJson) as ChunkSetting, measure }
    let next: ChunkingView = { ...emptyChunking, input: of }
    return requestFromLabWorker({ kind: 'cut', layout, ...of }, (response) => {
      if (response.kind === 'tidied') {
        next = { ...next, text: response.text }
        return
      }
      if (response.kind === 'chunks') {
        const { chunks, figures, at } = response
        next = {
          ...next,
          chunks: next.chunks.concat(chunks),
          stats: figures,
          progress: at / Math.max(1, next.text.length),
        }
      }
      if (response.kind === 'done')
        next = { ...next, isDone: true, progress: 1, durationMs: response.took, totals: response.totals }
      if (response.kind === 'failed') next = { ...next, problem: response.reason }
      startTransition(() => setView(next))
    })
  }, [text, layout, settingJson, measure])
  return text === '' || !settingJson ? emptyChunking : view
}
