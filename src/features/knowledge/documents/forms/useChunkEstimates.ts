import { useState } from 'react'
import type { ChunkEstimate } from '#domain/chunking/chunkEstimate.ts'
import {
  type EstimatedSource,
  findMatchingEstimate,
  type SentDocumentRule,
} from '../../chunkLab/chunkEstimateSource.ts'

/** What the lab beside a form has estimated, until something is sent. */
export interface ChunkEstimates {
  add: (estimated: EstimatedSource) => void
  /** The estimate of what is being sent; null where the lab has cut something else, or by another rule. */
  find: (source: File | string, sent: SentDocumentRule) => ChunkEstimate | null
}

/** Each file that was looked at has its own; of the text the last one stands. */
export const useChunkEstimates = (): ChunkEstimates => useState(createChunkEstimates)[0]

function createChunkEstimates(): ChunkEstimates {
  const files = new WeakMap<File, EstimatedSource>()
  let text: EstimatedSource | null = null
  return {
    add: (estimated) => {
      if (estimated.source instanceof File) files.set(estimated.source, estimated)
      else text = estimated
    },
    find: (source, sent) =>
      findMatchingEstimate(source instanceof File ? (files.get(source) ?? null) : text, source, sent),
  }
}
